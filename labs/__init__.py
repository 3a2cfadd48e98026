"""The labs: one folder each, and the kit that grades them in the kernel."""
