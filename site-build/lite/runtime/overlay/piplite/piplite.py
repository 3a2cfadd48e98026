"""The kernel sets two names in this module before it starts."""
