# SPDX-License-Identifier: MIT OR Apache-2.0
"""Five papers on congestion control over satellites, measured again with Bentpipe.

Each paper is a package; `across` compares the controllers of all papers. In each package, ``__init__.py`` is the study:
the paper's parameters, our choices, changes, and the rows. ``bed.py`` is the test bed, and ``rows_….py`` are the rows
by subject. Other modules have code that several of these modules need. The packages use only Bentpipe's public
interface, and are examples for it.
"""
