# SPDX-License-Identifier: MIT OR Apache-2.0
"""Sweeps: one scenario at many values of its keys.

A document becomes points (a value for each axis), and a point becomes the text of a scenario. Values of axes are put
into the keys before defaults are computed. A default that depends on a key (a queue of one BDP) therefore changes with
the key. Tables are made from the store at the end, in the order of the points. The number of threads and interruptions
therefore do not change their bytes. If seeds are added until an interval is narrow enough, each check of the interval
is a *look*. The error probability is divided over the looks, as in studies (``runs/looks.py``). ``base/shares.py``
computes shares of a variance for grids and for specification curves. SALib computes the shares for samples.
"""
