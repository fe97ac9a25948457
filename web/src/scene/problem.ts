// SPDX-License-Identifier: MIT OR Apache-2.0

/** A scene that cannot be shown, and why, in words for the reader of the page. */
export class SceneError extends Error {
  override name = "SceneError";
}
