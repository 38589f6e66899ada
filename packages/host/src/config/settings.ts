import type {
  CliMcpServerConfig,
  HookGroup,
  ModelOptions,
  PermissionMode,
  SandboxSettings,
  Settings,
  UiSettings,
} from '@qwen/protocol';
import type { AgentTexts } from '../agents/agent-texts.js';
import type { Plugin, PluginPlace } from '../plugins/plugin.js';
import type { ProviderProfile } from './provider-profiles.js';

/** The user, the repository, the user for this folder, or the command line. */
export type SettingsOrigin = 'user' | 'project' | 'local' | 'flag';

export interface SettingsLayer {
  readonly origin: SettingsOrigin;
  /** Absolute path; `--settings` for JSON on the command line. */
  readonly path: string;
  readonly settings: Settings;
  /** False for an untrusted repository: only its deny and ask rules count. */
  readonly trusted: boolean;
  readonly foreign?: ForeignPart;
}

export interface ForeignPart {
  readonly extra: ExtraSettings;
  /** Everything without effect. */
  readonly notice?: SettingsNotice;
}

/** -1: no limit. */
export interface RunLimits {
  readonly maxSessionTurns?: number;
  readonly wallSeconds?: number;
  readonly toolCalls?: number;
  readonly sessionTokens?: number;
}

export interface ExtraSettings {
  /** From the user and the command line only. */
  readonly limits: RunLimits;
  /** Instead of the usual names. */
  readonly instructionFiles?: readonly string[];
  /** Layers add to each other: the tools and servers of all apply. */
  readonly coreTools?: readonly string[];
  readonly allowedMcpServers?: readonly string[];
  /** Folders to add if they exist, relative to the working directory. From the user and the command line only. */
  readonly includeDirectories?: readonly string[];
  /** Weaker than those of the environment. From the user and the command line only. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly authType?: ProviderProfile['type'];
}

export interface SandboxPreferences {
  readonly settings: SandboxSettings;
  /** Only the project enables it: that makes nothing run without a question. */
  readonly isOfProject: boolean;
}

interface Attributed {
  readonly origin: SettingsOrigin;
  readonly path: string;
}

export function isOfProject({ origin }: Pick<Attributed, 'origin'>): boolean {
  return origin === 'project' || origin === 'local';
}

/** Command hooks of one event with the same matcher. */
export interface SettingsHook extends Attributed {
  /** As written; may be unknown to this version. */
  readonly event: string;
  readonly group: HookGroup;
  /** Additional ones of its commands. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface SettingsMcpServer extends Attributed {
  readonly name: string;
  readonly config: CliMcpServerConfig;
}

export interface SettingsNotice {
  /** Stable. */
  readonly code: string;
  readonly message: string;
}

/** The merged settings: only what is trusted. */
export interface EffectiveSettings {
  /** Weakest layer first. */
  readonly rules: Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>>;
  readonly defaultMode?: PermissionMode;
  readonly model?: string;
  readonly fallbackModels: readonly string[];
  readonly modelOptions: ModelOptions;
  /** From the user and the command line only: a repository must not redirect conversations. */
  readonly profiles: readonly ProviderProfile[];
  /** The name of one of `profiles`; from the user and the command line only. */
  readonly provider?: string;
  readonly proxy?: string;
  readonly hooks: readonly SettingsHook[];
  /** False: the user disabled all command hooks. */
  readonly runsHooks: boolean;
  /** From the user and the command line only. */
  readonly pluginPlaces: readonly PluginPlace[];
  readonly plugins: readonly Plugin[];
  readonly mcpServers: readonly SettingsMcpServer[];
  readonly additionalDirectories: readonly string[];
  readonly tools: NonNullable<Settings['tools']>;
  readonly ui: UiSettings;
  readonly sandbox: SandboxPreferences;
  /** From the user and the command line only: a repository must not enable data leaving the machine. Default off. */
  readonly telemetry: NonNullable<Settings['telemetry']>;
  /** From the user and the command line only: a repository must not turn it off. */
  readonly fileHistory: NonNullable<Settings['fileHistory']>;
  /** From the user and the command line only. Default off. */
  readonly memory: NonNullable<Settings['memory']>;
  /** From the user and the command line only: the provider receives queries. */
  readonly webSearch: NonNullable<Settings['webSearch']>;
  /** From the user and the command line only: variables that tools receive although they look like credentials. */
  readonly allowedVariables: readonly string[];
  readonly projectAgents?: AgentTexts;
  readonly extra: ExtraSettings;
  readonly notices: readonly SettingsNotice[];
}

export const NO_SETTINGS: EffectiveSettings = {
  rules: { allow: [], ask: [], deny: [] },
  fallbackModels: [],
  modelOptions: {},
  profiles: [],
  hooks: [],
  runsHooks: true,
  pluginPlaces: [],
  plugins: [],
  mcpServers: [],
  additionalDirectories: [],
  tools: {},
  ui: {},
  sandbox: { settings: {}, isOfProject: false },
  telemetry: {},
  fileHistory: {},
  memory: {},
  webSearch: {},
  allowedVariables: [],
  extra: { limits: {} },
  notices: [],
};
