"""Files that people have already: public traces, recordings of servers, results of benchmark tools, our own.

    with open("trace.csv") as lines:
        workload = read(lines, "trace.csv").workload()

A file is recognised by its content. Formats of arrivals give a workload; formats of results give a trace, and a
workload as well. All times become whole nanoseconds. Each format is a module, which begins with its traps:
units, clocks, and what its tool means by TPOT.
"""

from engine.readers.formats import FORMATS, Format
from engine.readers.own import workload_lines
from engine.readers.reading import Reading, read
from engine.readers.text import ReadError

__all__ = ["FORMATS", "Format", "ReadError", "Reading", "read", "workload_lines"]
