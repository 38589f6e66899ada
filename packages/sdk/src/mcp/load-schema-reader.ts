import type { readToolInput } from './tool-input.js';

/** Loads what reads schemas of all three kinds: it comes with the MCP library and costs as much. */
export async function loadSchemaReader(): Promise<typeof readToolInput> {
  const served = await import('./serve-tools.js');
  return served.readToolInput;
}
