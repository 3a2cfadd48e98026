"""Build tools of the course: Markdown extensions, checks, labs, wheels, JupyterLite, the server."""
