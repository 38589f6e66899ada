import type { AgentConfig } from '@qwen/protocol';
import type { SettingsNotice } from '../config/settings.js';

export interface AgentFiles {
  /** Project agents first; the first of two with the same name wins. */
  readonly agents: readonly AgentConfig[];
  readonly notices: readonly SettingsNotice[];
}

export const NO_AGENT_FILES: AgentFiles = { agents: [], notices: [] };
