"""What `%pip` turns into."""


async def get_transformed_code(arguments: list[str]) -> str:
    """Code that says why `%pip` can't do what it was told."""
    return "await __import__('piplite').install()\n"
