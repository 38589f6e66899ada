import { readdirSync } from 'node:fs';

/** Agent file names in a folder, sorted; empty when it cannot be read. */
export function agentFileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .toSorted();
  } catch {
    return [];
  }
}
