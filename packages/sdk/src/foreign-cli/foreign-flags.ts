import { dirname, join } from 'node:path';
import type { QueryOptions } from '../options/options.js';
import { toPrompts } from '../query/initialize-payload.js';

// As in `find-cli.ts`: an import would load more.
const { readFileSync, realpathSync } = process.getBuiltinModule('node:fs');

const NEAREST_MANIFESTS = 4;

/**
 * Flags for options that qwen-code reads only there; empty for another CLI. They are visible to other users of the machine,
 * so the own CLI gets none.
 */
export function foreignFlags({ pathToQwenExecutable: path, ...options }: QueryOptions): string[] {
  const isGiven = options.systemPrompt !== undefined || options.fallbackModel !== undefined;
  if (!isGiven || path === undefined || options.spawnProcess !== undefined || !isQwenCode(path)) return [];
  const { systemPrompt, appendSystemPrompt } = toPrompts(options.systemPrompt);
  const models = [options.fallbackModel ?? []].flat();
  return [
    ...(systemPrompt ? [`--system-prompt=${systemPrompt}`] : []),
    ...(appendSystemPrompt ? [`--append-system-prompt=${appendSystemPrompt}`] : []),
    ...(models.length > 0 ? [`--fallback-model=${models.join(',')}`] : []),
  ];
}

function isQwenCode(path: string): boolean {
  try {
    let folder = dirname(realpathSync(path));
    for (let step = 0; step < NEAREST_MANIFESTS; step += 1) {
      const name = nameIn(folder);
      if (name !== undefined) return name === '@qwen-code/qwen-code';
      folder = dirname(folder);
    }
    return false;
  } catch {
    return false;
  }
}

function nameIn(folder: string): unknown {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'name' in manifest ? manifest.name : undefined;
  } catch {
    return undefined;
  }
}
