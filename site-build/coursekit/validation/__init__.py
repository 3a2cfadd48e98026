"""What is wrong with a course beyond a single block: ids, links, and what options give away."""
