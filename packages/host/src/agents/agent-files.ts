import type { AgentConfig } from '@qwen/protocol';
import type { SettingsNotice } from '../config/settings.js';

/** The subagents of files, and what people should know of them. */
export interface AgentFiles {
  /** Those of the project first: of two with one name the first counts. */
  readonly agents: readonly AgentConfig[];
  readonly notices: readonly SettingsNotice[];
}

export const NO_AGENT_FILES: AgentFiles = { agents: [], notices: [] };
