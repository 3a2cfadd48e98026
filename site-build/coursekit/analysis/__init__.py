"""What a class's results say about the checks: for the instructor, offline."""
