"""A small static server that sends what a good static host sends."""
