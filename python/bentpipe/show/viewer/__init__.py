# SPDX-License-Identifier: MIT OR Apache-2.0
"""The viewer: runs and results as scenes, served to a browser, written to a file, or drawn as a picture.

The page is built from `web/`; docs/scene.md specifies the scene, which connects the two.
"""
