import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentConfig } from '@qwen/protocol';
import type { SettingsNotice } from '../config/settings.js';
import { findSettingsFiles, type SettingsSources } from '../config/settings-files.js';

/** The subagents of files, and what people should know of them. */
export interface AgentFiles {
  /** Those of the project first: of two with one name the first counts. */
  readonly agents: readonly AgentConfig[];
  readonly notices: readonly SettingsNotice[];
}

export const NO_AGENT_FILES: AgentFiles = { agents: [], notices: [] };

/**
 * Reads the agent files of the user and, in a trusted folder, of the project: they are prompts. Rejects with
 * `invalid_settings` when it cannot be told whether the folder is trusted.
 */
export async function loadAgents(sources: SettingsSources): Promise<AgentFiles> {
  const { qwenHome, flags } = sources;
  const found = findSettingsFiles(sources);
  const wants = (source: string): boolean => flags.settingSources?.includes(source) ?? true;
  const ofUser = join(qwenHome, 'agents');
  const ofProject = join(found.projectFolder, '.qwen', 'agents');
  const hasUserAgents = wants('user') && existsSync(ofUser);
  const hasProjectAgents = wants('project') && found.hasProject && existsSync(ofProject);
  if (!hasUserAgents && !hasProjectAgents) return NO_AGENT_FILES;
  // YAML and the list of trusted folders load only for who has such files.
  const { readAgents, readProjectAgents } = await import('./read-agents.js');
  const project = hasProjectAgents ? readProjectAgents(ofProject, { found, sources }) : NO_AGENT_FILES;
  const user = hasUserAgents ? readAgents(ofUser) : NO_AGENT_FILES;
  return {
    agents: [...project.agents, ...user.agents],
    notices: [...project.notices, ...user.notices],
  };
}
