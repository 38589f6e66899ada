import { createPathResolver } from '@qwen/tools';
import { workspaceFiles } from './workspace-file-access.js';

export interface MemoryTarget {
  /** Absolute path of the project or of `~/.qwen`. Created if missing. */
  readonly folder: string;
  /** Default QWEN.md. */
  readonly fileName?: string | undefined;
  readonly entry: string;
}

/**
 * Returns the absolute path. Rejects with `permission_denied` if the file is a link out of the folder, and with
 * `storage_unwritable`.
 */
export async function addMemory({ folder, fileName = 'QWEN.md', entry }: MemoryTarget): Promise<string> {
  const files = workspaceFiles({ cwd: folder, paths: createPathResolver() });
  const before = await files.read(fileName);
  return files.write(fileName, withEntry(before ?? '', entry));
}

const HEADING = '## Qwen Added Memories';

/** Creates a missing section. */
export function withEntry(text: string, entry: string): string {
  const item = `- ${entry.replace(/^(?:[-*+]\s+)+/, '')}`;
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.trim() === HEADING);
  if (start === -1) return [text.trimEnd(), '', HEADING, '', item, ''].join('\n').trimStart();
  const next = lines.findIndex((line, index) => index > start && /^#{1,2}\s/.test(line));
  const section = lines.slice(start, next === -1 ? lines.length : next);
  while (section.at(-1)?.trim() === '') section.pop();
  return [...lines.slice(0, start), ...section, item, ...(next === -1 ? [''] : ['', ...lines.slice(next)])].join('\n');
}
