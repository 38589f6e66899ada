import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EffectiveSettings } from '../config/settings.js';
import type { Flags } from '../flags/args.js';
import { type AgentFiles, NO_AGENT_FILES } from './agent-files.js';

export interface AgentSources {
  /** Absolute path of `~/.qwen` or `$QWEN_HOME`. */
  readonly configDir: string;
  readonly flags: Pick<Flags, 'settingSources'>;
  readonly settings: EffectiveSettings;
}

/** Reads the agent files of the user, of plugins and, if trusted, of the project. Never rejects: a bad file becomes a notice. */
export async function loadAgents({ configDir, flags, settings }: AgentSources): Promise<AgentFiles> {
  const ofProject = settings.projectAgents;
  const ofUser = join(configDir, 'agents');
  const hasUserAgents = (flags.settingSources?.includes('user') ?? true) && existsSync(ofUser);
  const ofPlugins = settings.plugins.filter(({ agentFolders }) => agentFolders.length > 0);
  if (!hasUserAgents && ofProject === undefined && ofPlugins.length === 0) return NO_AGENT_FILES;
  // Loads YAML only when there are agent files.
  const { readAgents } = await import('./read-agents.js');
  const { readAgentTexts } = await import('./agent-texts.js');
  const project = ofProject === undefined ? NO_AGENT_FILES : readAgents(ofProject, 'project');
  const user = hasUserAgents ? readAgents(readAgentTexts(ofUser), 'user') : NO_AGENT_FILES;
  const plugins = ofPlugins.flatMap(({ name, folder, agentFolders }) =>
    agentFolders.map((place) => readAgents(readAgentTexts(place, folder), 'plugin', name)),
  );
  const all = [project, user, ...plugins];
  return { agents: all.flatMap(({ agents }) => agents), notices: all.flatMap(({ notices }) => notices) };
}
