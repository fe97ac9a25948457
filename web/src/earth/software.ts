// SPDX-License-Identifier: MIT OR Apache-2.0

/**
 * Returns whether drawing uses the processor instead of a graphics card. Without a graphics card, antialiasing costs a
 * third of the frame rate.
 */
export function softwareRendering(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const names = context?.getExtension("WEBGL_debug_renderer_info");
  const renderer = names ? String(context?.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|basic render/i.test(renderer);
}
