# SPDX-License-Identifier: MIT OR Apache-2.0
"""The studies of this package in the order of the report, for the entry point ``bentpipe.studies``."""

from __future__ import annotations

from bentpipe_papers import a_liad, across, hybic, hybla_im, leo_study, vegas_w

STUDIES = tuple(module.STUDY for module in (hybla_im, leo_study, a_liad, vegas_w, hybic, across))
