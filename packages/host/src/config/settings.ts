import type { CliMcpServerConfig, HookGroup, PermissionMode, Settings, UiSettings } from '@qwen/protocol';
import type { AgentTexts } from '../agents/agent-texts.js';

/** Who said something: the user for all folders, the repository, the user for this folder, or the command line. */
export type SettingsOrigin = 'user' | 'project' | 'local' | 'flag';

/** One settings file, or the value of `--settings`. */
export interface SettingsLayer {
  readonly origin: SettingsOrigin;
  /** Absolute path of the file; `--settings` for JSON on the command line. */
  readonly path: string;
  readonly settings: Settings;
  /** False for what a repository says in a folder that nobody trusted: only its deny and ask rules count (S49). */
  readonly trusted: boolean;
}

interface Attributed {
  readonly origin: SettingsOrigin;
  readonly path: string;
}

/** Command hooks of one event that share a matcher. */
export interface SettingsHook extends Attributed {
  /** As it was written; perhaps one that this version does not know. */
  readonly event: string;
  readonly group: HookGroup;
}

export interface SettingsMcpServer extends Attributed {
  readonly name: string;
  readonly config: CliMcpServerConfig;
}

/** Something about the settings that people should know. */
export interface SettingsNotice {
  /** Stable, for programs. */
  readonly code: string;
  readonly message: string;
}

/** What all layers say together: exactly what counts, and nothing that trust is missing for. */
export interface EffectiveSettings {
  /** Rules of all layers, the weakest layer first. */
  readonly rules: Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>>;
  readonly defaultMode?: PermissionMode;
  readonly model?: string;
  /** In the order of the layers and of the file. */
  readonly hooks: readonly SettingsHook[];
  /** One for each name: that of the strongest layer. */
  readonly mcpServers: readonly SettingsMcpServer[];
  /** Absolute. */
  readonly additionalDirectories: readonly string[];
  /** Of the user and of the command line; a project has no say in it. */
  readonly ui: UiSettings;
  /** Of the same two: a repository does not switch on what leaves the machine. Default off. */
  readonly telemetry: NonNullable<Settings['telemetry']>;
  /** The agent files of the project, when there are some that count. */
  readonly projectAgents?: AgentTexts;
  readonly notices: readonly SettingsNotice[];
}

export const NO_SETTINGS: EffectiveSettings = {
  rules: { allow: [], ask: [], deny: [] },
  hooks: [],
  mcpServers: [],
  additionalDirectories: [],
  ui: {},
  telemetry: {},
  notices: [],
};
