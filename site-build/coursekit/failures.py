"""What went wrong in a way that a person can mend."""


class BuildFailed(Exception):
    """The build can't go on; the message names the thing, the place and the mend."""
