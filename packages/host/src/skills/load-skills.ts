import { realpathSync } from 'node:fs';
import type { EffectiveSettings } from '../config/settings.js';
import {
  findSettingsFiles,
  foldersUpToGitRoot,
  type SettingsFiles,
  skillFoldersOfUser,
} from '../config/settings-files.js';
import type { Flags } from '../flags/args.js';
import type { Plugin } from '../plugins/plugin.js';
import { NO_SKILLS, type SkillFiles, type SkillFolder } from './skill.js';

export interface SkillSources {
  readonly cwd: string;
  /** Absolute path of `~/.qwen` or `$QWEN_HOME`. */
  readonly configDir: string;
  readonly flags: Pick<Flags, 'settingSources' | 'safeMode' | 'trustProject' | 'skills'>;
  readonly settings: Pick<EffectiveSettings, 'plugins'>;
}

/**
 * Reads the skills of the project, if trusted, of the user and of plugins. Those of the project take precedence, the
 * nearest folder first. Never rejects: a bad file becomes a notice.
 */
export async function loadSkills(sources: SkillSources): Promise<SkillFiles> {
  const { flags, configDir, cwd, settings } = sources;
  if (flags.safeMode === true) return NO_SKILLS;
  const found = findSettingsFiles({ configDir, cwd, flags });
  const ofUser = (flags.settingSources?.includes('user') ?? true) ? skillFoldersOfUser(configDir) : [];
  const ofProject = found.readsAgents ? found.skillFolders : [];
  const isTrusted = ofProject.length > 0 && (await isProjectTrusted(sources, found));
  const untrusted = ofProject.length > 0 && !isTrusted ? [untrustedNotice(ofProject)] : [];
  const places = [
    ...(isTrusted ? projectPlaces(ofProject, sources) : []),
    ...userPlaces(ofUser),
    ...settings.plugins.flatMap(pluginPlaces),
  ];
  if (places.length === 0) return { skills: [], notices: untrusted };
  // Loads YAML only when there are skills.
  const { readSkills } = await import('./read-skills.js');
  const { skills, notices } = readSkills(places);
  return choose({ skills, notices: [...untrusted, ...notices] }, flags.skills);
}

function projectPlaces(folders: readonly string[], { cwd }: SkillSources): readonly SkillFolder[] {
  const boundary = realpathSync(foldersUpToGitRoot(cwd)?.at(-1) ?? cwd);
  return folders.map((folder) => ({ folder, origin: 'project', boundary }));
}

function userPlaces(folders: readonly string[]): readonly SkillFolder[] {
  return folders.map((folder) => ({ folder, origin: 'user' }));
}

function pluginPlaces({ name, folder, skillFolders }: Plugin): readonly SkillFolder[] {
  return skillFolders.map((place) => ({ folder: place, origin: 'plugin', boundary: folder, prefix: name }));
}

async function isProjectTrusted(
  { cwd, configDir, flags }: SkillSources,
  { projectFolder }: SettingsFiles,
): Promise<boolean> {
  if (flags.trustProject === true) return true;
  const { isTrustedFolder } = await import('../commands/trusted-commands.js');
  return isTrustedFolder(configDir, projectFolder) || isTrustedFolder(configDir, cwd);
}

function untrustedNotice(folders: readonly string[]) {
  const message = `The skills in ${folders.join(', ')} were skipped: the folder is not trusted. Run qwen trust, or pass --trust-project.`;
  return { code: 'untrusted_skills', message };
}

function choose({ skills, notices }: SkillFiles, names: readonly string[] | undefined): SkillFiles {
  if (names === undefined) return { skills, notices };
  const unknown = names.filter((name) => !skills.some((skill) => skill.name === name));
  const message = `There is no skill ${unknown.map((name) => JSON.stringify(name)).join(', ')}; --skills offers the others only.`;
  return {
    skills: skills.filter(({ name }) => names.includes(name)),
    notices: unknown.length === 0 ? notices : [...notices, { code: 'unknown_skill', message }],
  };
}
