# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sweeps: one scenario at many values of its keys.

A document becomes points (a value for each axis), and a point becomes the text of a scenario. Axes are put into the
keys as they are written, so what follows from a key (a queue of one BDP) follows. Tables are made from the store at the
end, in the order of the points, so their bytes depend neither on the number of threads nor on interruptions. If seeds
are added until an interval is narrow enough, the chance of error is spent over the looks, as in studies
(``runs/looks.py``). Shares of a variance are computed in one place (``base/shares.py``) for grids and for specification
curves, and by SALib for samples.
"""
