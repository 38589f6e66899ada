import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ancestorsOf } from '../ancestors.js';

interface MemoryPlace {
  readonly configDir: string;
  readonly cwd: string;
}

/** In the folder of the user, where no repository can add to them. May be missing. */
function memoryFilesOf({ configDir, cwd }: MemoryPlace): { readonly user: string; readonly project: string } {
  const root = ancestorsOf(cwd).find((folder) => existsSync(join(folder, '.git'))) ?? resolve(cwd);
  const name = root.replaceAll(/[^a-zA-Z0-9]/g, '-');
  return {
    user: join(configDir, 'memories', 'MEMORY.md'),
    project: join(configDir, 'projects', name, 'memory', 'MEMORY.md'),
  };
}

/** The part of the system prompt for an agent that keeps a memory. */
export function describeMemory(place: MemoryPlace): string {
  const { user, project } = memoryFilesOf(place);
  return [
    'You have a memory: Markdown lists of facts that every later session reads.',
    `- ${project}: about this project`,
    `- ${user}: about the user, for all projects`,
    'When the user asks you to remember something, or corrects you in a way that will matter again, add one short item ' +
      'with the file tools. Replace items that became wrong. Never store secrets, or what the code or the ' +
      'instructions already say.',
  ].join('\n');
}

/** Rules that let the model read its memory. */
export function memoryRules(place: MemoryPlace): readonly string[] {
  return Object.values(memoryFilesOf(place)).flatMap((path) =>
    // Other characters have a meaning in rules.
    path.startsWith('/') && !/[*?[\]{}()!\\]/.test(path) ? [`Read(/${path})`] : [],
  );
}

export function memoryFiles(place: MemoryPlace): readonly string[] {
  const { configDir } = place;
  if (!existsSync(join(configDir, 'projects')) && !existsSync(join(configDir, 'memories'))) return [];
  const { user, project } = memoryFilesOf(place);
  return [user, project];
}
