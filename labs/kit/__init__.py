"""Labs ' grading machinery. Runs in the student's kernel."""
