"""What the course adds to Python in the browser: stopping, output in batches, running a snippet.

These modules run inside Pyodide only. They are packed beside the standard library, so that snippets and
labs have them without another request.
"""
