"""`python -m engine.live --vllm URL`: the bridge."""

import sys


def main() -> int:
    """Start the bridge, or say what it needs."""
    try:
        from engine.live.bridge.command import main as serve
    except ModuleNotFoundError as missing:
        print(f"{missing.name} is missing; install the link's packages: pip install -e '.[live]'", file=sys.stderr)
        return 1
    return serve()


if __name__ == "__main__":
    sys.exit(main())
