import { readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { CallFacts } from '@qwen/agent';

/** A command that names more is not followed. */
const MAX_FILES = 200;
/** Take folders with all that is in them. */
const TAKES_FOLDERS = /^(?:rm|mv)$/;
const LEFT_OUT = new Set(['.git', 'node_modules']);

/**
 * The real paths of the files that a command names and may change, with those in folders that it removes or moves.
 * Empty for commands that only read, and if it names too many.
 */
export async function filesOfCommand({ shell }: Pick<CallFacts, 'shell'>): Promise<readonly string[]> {
  if (shell === undefined) return [];
  const { reading, words, paths } = shell;
  const written = reading.files.filter(({ access }) => access === 'write');
  const commands = [...reading.commands, ...reading.inner];
  if (written.length === 0 && commands.every(({ readOnlyFiles }) => readOnlyFiles !== undefined)) return [];
  const named = [...written.flatMap(({ path }) => paths.get(path ?? '') ?? []), ...[...(words?.values() ?? [])].flat()];
  const files = new Set(named.filter(({ insideRoots }) => insideRoots).map(({ realPath }) => realPath));
  if (commands.some(({ words: [program] }) => TAKES_FOLDERS.test(program?.text ?? ''))) {
    const below = await Promise.all([...files].map(filesBelow));
    for (const path of below.flat()) files.add(path);
  }
  return files.size > MAX_FILES ? [] : [...files];
}

/** Empty for what is no folder. Stops when there are too many. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && files.length <= MAX_FILES; next = waiting.pop()) {
    if (LEFT_OUT.has(next.slice(next.lastIndexOf(sep) + 1))) continue;
    for (const entry of await readdir(next, { withFileTypes: true }).catch(() => [])) {
      (entry.isDirectory() ? waiting : files).push(join(next, entry.name));
    }
  }
  return files;
}
