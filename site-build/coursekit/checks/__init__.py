"""Knowledge checks: read from Markdown, validated, and rendered.

Knows markdown-it-py and nothing of MkDocs, Python-Markdown or the theme.
"""
