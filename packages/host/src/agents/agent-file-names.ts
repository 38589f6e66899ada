import { readdirSync } from 'node:fs';

/** Names of the agent files in a folder, sorted; none where it cannot be read. */
export function agentFileNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .toSorted();
  } catch {
    return [];
  }
}
