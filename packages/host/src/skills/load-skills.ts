import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isCommandFolderTrusted } from '../commands/trusted-commands.js';
import type { Configuration } from '../config/load-config.js';
import type { SettingsNotice } from '../config/settings.js';
import { parseSkill, type Skill } from './parse-skill.js';

const MAX_SKILLS = 200;
const MAX_BYTES = 256 * 1024;

type Places = Parameters<typeof isCommandFolderTrusted>[0];

interface FoundSkills {
  readonly skills: readonly Skill[];
  readonly notices: readonly SettingsNotice[];
}

function skillFolders(configuration: Places): readonly string[] {
  const project = join(configuration.cwd, '.qwen', 'skills');
  const user = join(configuration.configDir, 'skills');
  return isCommandFolderTrusted(configuration) && project !== user ? [project, user] : [user];
}

/** Reads `NAME/SKILL.md` of each folder. Never throws: a bad file becomes a notice. */
export function loadSkills(configuration: Pick<Configuration, keyof Places>): FoundSkills {
  const skills = new Map<string, Skill>();
  const notices: SettingsNotice[] = [];
  for (const parent of skillFolders(configuration)) {
    for (const name of namesIn(parent).slice(0, MAX_SKILLS)) {
      const path = join(parent, name, 'SKILL.md');
      const text = readText(path);
      if (text === undefined) continue;
      const read = parseSkill(text, path);
      if (!read.ok) notices.push({ code: 'invalid_skill', message: `${path}: ${read.problem}` });
      else if (!skills.has(read.skill.name)) skills.set(read.skill.name, read.skill);
    }
  }
  return { skills: [...skills.values()], notices };
}

/** Lets the model read the files of the user's skills, which are outside of the workspace, and nothing else. */
export function readRules(skills: readonly Skill[], { configDir }: Pick<Places, 'configDir'>): readonly string[] {
  const parent = join(configDir, 'skills');
  return skills.filter(({ folder }) => dirname(folder) === parent).flatMap(readRule);
}

function readRule({ folder }: Skill): readonly string[] {
  const path = realPathOf(folder);
  // Other characters have a meaning in rules.
  return path?.startsWith('/') === true && !/[*?[\]{}()!\\]/.test(path) ? [`Read(/${path}/**)`] : [];
}

function namesIn(folder: string): readonly string[] {
  return entriesOf(folder)
    .map(({ name }) => name)
    .toSorted();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Undefined for anything but a regular file of a sensible size. */
function readText(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(fd);
    return found.isFile() && found.size <= MAX_BYTES ? readFileSync(fd, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
