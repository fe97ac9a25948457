# SPDX-License-Identifier: MIT OR Apache-2.0
"""Five papers on congestion control over satellites, measured again with Bentpipe.

A package for each paper, and `across` for what crosses them. Of each: ``__init__.py`` is the study (what the paper
gives, what was chosen, what was changed, its rows), ``bed.py`` the test bed, ``rows_….py`` the rows by subject, other
modules what several of them need. They use Bentpipe's public interface only, and are examples of how to use it.
"""
