"""Calibrate: what does a step of a real server cost? Fitted to a recording by simulating it.

`recording` reads one and hides what must be predicted, `server` and `replica` simulate it by counts, `cost` says what
a step may cost, `fit` finds the coefficients, `choose` which rules the server followed, `identify` what the data
can't tell apart, `judge` how good the predictions are.
"""
