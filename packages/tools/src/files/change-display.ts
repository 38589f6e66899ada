import type { ToolDisplay } from '@qwen/agent';
import { type DiffOptions, unifiedDiff } from './unified-diff.js';

/** How a screen shows that a file was changed: as a diff where one can be had. */
export async function changeDisplay(options: DiffOptions): Promise<ToolDisplay> {
  const diff = await unifiedDiff(options);
  if (diff !== undefined) return { kind: 'diff', path: options.path, diff };
  return { kind: 'text', text: `${options.path}: ${options.before.length} → ${options.after.length} characters` };
}
