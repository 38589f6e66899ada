import type { CliMcpServerConfig, HookGroup } from '@qwen/protocol';
import type { Notice } from '../notice.js';

/** A folder in the layout of Claude Code, Gemini CLI or Qwen Code. */
export interface Plugin {
  /** Prefix of its commands, skills and subagents: `NAME:`. */
  readonly name: string;
  /** Real path. */
  readonly folder: string;
  readonly description?: string;
  /** Real paths inside the folder. */
  readonly commandFolders: readonly string[];
  readonly agentFolders: readonly string[];
  readonly skillFolders: readonly string[];
  readonly instructionFiles: readonly string[];
  /** By event. */
  readonly hooks: Readonly<Record<string, readonly HookGroup[]>>;
  /** Variables of its hooks. */
  readonly variables: Readonly<Record<string, string>>;
  /** By full name, `plugin_NAME_SERVER`; their variables are not expanded. */
  readonly servers: Readonly<Record<string, CliMcpServerConfig>>;
  /** Rules for tools that it excludes. */
  readonly deny: readonly string[];
  /** Parts without effect. */
  readonly notices: readonly Notice[];
}

export interface PluginPlace {
  /** Absolute. */
  readonly path: string;
  /** `flag`: of this run, which approves it. `user`: of the settings; what it runs needs an approval. */
  readonly origin: 'flag' | 'user';
}
