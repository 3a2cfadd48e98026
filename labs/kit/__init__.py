"""What grades a lab: runs in the student's kernel, in CPython and in Pyodide."""
