# SPDX-License-Identifier: MIT OR Apache-2.0
"""Whose TCP the studies mean where a paper says nothing: the bare machine, so that what is seen is the controller's."""

import bentpipe as bp

BARE = bp.Tcp(preset="bentpipe-0.1")
