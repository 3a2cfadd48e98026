"""Runs every test there is, and finds or installs the browsers that they drive."""
