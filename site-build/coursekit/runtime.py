"""The course's own name, which stands in the name of everything that is stored."""

COURSE = "inside-the-batch"
