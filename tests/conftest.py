"""What holds for every test."""

from hypothesis import settings

# A machine that is busy with something else is no mistake of the code under test.
settings.register_profile("course", deadline=None)
settings.load_profile("course")
