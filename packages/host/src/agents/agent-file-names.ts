import { readdirSync } from 'node:fs';

/** Sorted; empty when the folder cannot be read. */
export function agentFileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .toSorted();
  } catch {
    return [];
  }
}
