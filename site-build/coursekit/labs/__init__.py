"""Labs as text: `lab.py` in percent cells becomes the notebook that a student opens."""

from coursekit.labs.cells import Cell, read_cells
from coursekit.labs.notebook import lab_notebook
from coursekit.labs.version import lab_version

__all__ = ["Cell", "lab_notebook", "lab_version", "read_cells"]
