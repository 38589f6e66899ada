import { relative } from 'node:path';
import { escapeHidden } from '@qwen/protocol';
import { findSkillFiles } from '../skills/find-skill-files.js';
import { findSettingsFiles, readsProject, type SettingsSources } from './settings-files.js';
import { readProject } from './settings-layers.js';
import { type Project, projectTrust } from './trust.js';

/** Everything a project asks for that needs trust, in full: no one can approve a truncated command. */
export function projectRequests({ folder, settings, agents, skillFolders = [] }: Project): readonly string[] {
  const lines = settings.flatMap(({ model, fallbackModel, permissions = {}, hooks = {}, mcpServers = {} }) => [
    ...Object.entries(hooks).flatMap(([event, groups]) =>
      groups.flatMap(({ hooks: commands }) => commands.map(({ command }) => `hook ${event}: ${visible(command)}`)),
    ),
    ...Object.entries(mcpServers).map(([name, config]) => `MCP server ${visible(name)}: ${visible(config)}`),
    ...(permissions.allow ?? []).map((rule) => `allow ${visible(rule)}`),
    ...(permissions.additionalDirectories ?? []).map((directory) => `additional directory ${visible(directory)}`),
    ...(permissions.defaultMode === undefined ? [] : [`permission mode ${permissions.defaultMode}`]),
    ...(model === undefined ? [] : [`model ${visible(model)}`]),
    ...(fallbackModel === undefined ? [] : [`fallback model ${visible(fallbackModel)}`]),
  ]);
  const files = (agents?.texts ?? []).flatMap(({ path, text = '' }) => [
    `agent ${visible(relative(folder, path))}`,
    ...text.split(/\r?\n/).map((line) => `  | ${escapeHidden(line)}`),
  ]);
  const skills = skillFolders.flatMap((place) => findSkillFiles({ folder: place, origin: 'project' }).paths);
  return [...lines, ...files, ...skills.map((path) => `skill ${visible(relative(folder, path))}`)];
}

export interface UntrustedProject {
  readonly project: Project;
  readonly requests: readonly string[];
}

/**
 * The untrusted project of the working folder; undefined when there is nothing to decide or a flag decided. Rejects
 * with `invalid_settings`.
 */
export async function findUntrustedProject(sources: SettingsSources): Promise<UntrustedProject | undefined> {
  const { flags, configDir } = sources;
  if (flags.safeMode === true || flags.trustProject === true) return undefined;
  const found = findSettingsFiles(sources);
  if (!readsProject(found) && !(found.readsAgents && found.skillFolders.length > 0)) return undefined;
  const project = await readProject(found);
  const requests = projectRequests(project);
  return requests.length === 0 || projectTrust(configDir, project) === 'trusted' ? undefined : { project, requests };
}

function visible(value: unknown): string {
  return escapeHidden(JSON.stringify(value));
}
