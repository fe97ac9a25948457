// SPDX-License-Identifier: MIT OR Apache-2.0

/** Whether the processor draws instead of a graphics card. In this case, antialiasing costs a third of the frames. */
export function softwareRendering(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  const names = context?.getExtension("WEBGL_debug_renderer_info");
  const renderer = names ? String(context?.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  context?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|basic render/i.test(renderer);
}
