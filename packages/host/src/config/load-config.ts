import { homedir } from 'node:os';
import { AgentError, type Budget, type Effort, type PermissionMode } from '@qwen/protocol';
import type { AgentFiles } from '../agents/agent-files.js';
import type { Flags } from '../flags/args.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { isClaudeAgentSdk } from './channel.js';
import type { Environment } from './env.js';
import { readJsonSchema } from './json-schema-flag.js';
import { type McpServerChoice, readMcpConfig, withSettingsServers } from './mcp-servers.js';
import { chooseMoreRoots } from './more-roots.js';
import { toOwnMode } from './permission-mode.js';
import { readBudget, readCount } from './prompt-limits.js';
import { chooseProvider, type ProviderChoice } from './provider.js';
import { findQwenHome, sessionsFolder } from './qwen-home.js';
import type { EffectiveSettings } from './settings.js';
import { checkToolNames, selectTools, type ToolSelection } from './tool-selection.js';

/** Everything that one run is told from outside, checked: flags over variables over settings over defaults. */
export interface Configuration {
  /** Absolute path of the workspace. */
  readonly cwd: string;
  /** More folders that count as the workspace; absolute real paths. */
  readonly moreRoots: readonly string[];
  readonly homeDirectory: string;
  /** Absolute path of the folder of qwen itself. */
  readonly qwenHome: string;
  readonly sessionsDirectory: string;
  /** What the settings files say. Where a flag or variable may say something too, the member for it here joins both. */
  readonly settings: EffectiveSettings;
  /** Subagents of files. */
  readonly agentFiles: AgentFiles;
  readonly provider: ProviderChoice;
  /** The model to begin with, and what `set_model` with null goes back to. */
  readonly model: string;
  readonly permissionMode: PermissionMode;
  readonly rules: EffectiveSettings['rules'];
  readonly tools: ToolSelection;
  readonly mcpServers: McpServerChoice;
  /** Whether the `.mcp.json` of the workspace is read. */
  readonly readsMcpFile: boolean;
  /** Missing: every server. */
  readonly allowedMcpServers?: readonly string[];
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly readsProjectInstructions: boolean;
  /** The user said for this run that what the project brings counts. */
  readonly trustsProject: boolean;
  /** What each prompt may use up. */
  readonly budget: Budget;
  /** Tokens of the session as a whole; missing: no limit. */
  readonly sessionTokenLimit?: number;
  /** Tokens that the model takes, where we do not know it or should not believe what we know. */
  readonly contextWindow?: number;
  /** JSON Schema of the answers; missing: words. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Who answers when the model fails, in order. */
  readonly fallbackModels: readonly string[];
  /** Missing: as the provider likes. */
  readonly effort?: Effort;
  /** Model calls for one prompt; missing: the agent's own limit. */
  readonly maxModelCalls?: number;
  readonly includePartialMessages: boolean;
  readonly includeHookEvents: boolean;
  /** Whether `can_use_tool` carries suggestions. */
  readonly sendsSuggestions: boolean;
  /** Control lines go out as the Claude Agent SDK reads them. */
  readonly speaksToClaudeSdk: boolean;
  /** Missing: as long as the protocol has it. */
  readonly maxLineBytes?: number;
  readonly debug: boolean;
  /** Follows this run as spans; missing: telemetry is off. */
  readonly telemetry?: Telemetry;
}

export interface ConfigurationSources {
  readonly flags: Flags;
  readonly environment: Environment;
  /** Absolute. */
  readonly cwd: string;
  readonly settings: EffectiveSettings;
  readonly agentFiles: AgentFiles;
}

/**
 * Puts the sources together. Reads no file but those that `--mcp-config` names. Throws `usage`, and `invalid_settings`
 * for an additional folder of the settings that cannot count.
 */
export function loadConfiguration(sources: ConfigurationSources): Configuration {
  const { flags, environment, cwd, settings, agentFiles } = sources;
  const homeDirectory = homedir();
  const provider = chooseProvider(flags, environment);
  const qwenHome = findQwenHome(environment, cwd);
  const isStrict = flags.strictMcpConfig === true;
  const deny = [...settings.rules.deny, ...(flags.excludeTools ?? [])];
  checkToolNames('allowed-tools', flags.allowedTools ?? []);
  checkToolNames('exclude-tools', flags.excludeTools ?? []);
  const sessionTokenLimit = readCount('session-token-limit', flags.sessionTokenLimit);
  const contextWindow = readCount('context-window', flags.contextWindow);
  const { maxSessionTurns, systemPrompt, appendSystemPrompt, allowedMcpServerNames } = flags;
  if (maxSessionTurns !== undefined && maxSessionTurns < 1 && maxSessionTurns !== -1) {
    throw new AgentError('usage', '--max-session-turns needs a number above 0, or -1');
  }
  return {
    cwd,
    moreRoots: chooseMoreRoots({
      cwd,
      homeDirectory,
      fromSettings: settings.additionalDirectories,
      fromFlags: flags.includeDirectories ?? [],
    }),
    homeDirectory,
    qwenHome,
    sessionsDirectory: sessionsFolder(qwenHome),
    settings,
    agentFiles,
    provider,
    model: flags.model ?? modelOf(environment, provider) ?? settings.model ?? provider.defaultModel,
    permissionMode: choosePermissionMode(flags) ?? settings.defaultMode ?? 'default',
    rules: {
      allow: [...settings.rules.allow, ...(flags.allowedTools ?? [])],
      ask: settings.rules.ask,
      deny,
    },
    tools: selectTools({ ...(flags.coreTools !== undefined && { coreTools: flags.coreTools }), excludeTools: deny }),
    mcpServers: withSettingsServers(readMcpConfig(flags.mcpConfig ?? []), isStrict ? [] : settings.mcpServers),
    readsMcpFile: !isStrict && flags.safeMode !== true && (flags.settingSources?.includes('project') ?? true),
    ...(allowedMcpServerNames !== undefined && { allowedMcpServers: allowedMcpServerNames }),
    // The Claude Agent SDK gives an empty one when its app chose none.
    ...(systemPrompt && { systemPrompt }),
    ...(appendSystemPrompt !== undefined && { appendSystemPrompt }),
    budget: readBudget(flags),
    ...(sessionTokenLimit !== undefined && { sessionTokenLimit }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(flags.jsonSchema !== undefined && { outputSchema: readJsonSchema(flags.jsonSchema) }),
    fallbackModels: flags.fallbackModel ?? [],
    ...(flags.effort !== undefined && { effort: flags.effort }),
    readsProjectInstructions: flags.safeMode !== true,
    trustsProject: flags.trustProject === true,
    ...(maxSessionTurns !== undefined && maxSessionTurns > 0 && { maxModelCalls: maxSessionTurns }),
    includePartialMessages: flags.includePartialMessages === true || flags.outputFormat === 'stream-chunk-json',
    includeHookEvents: flags.includeHookEvents === true,
    sendsSuggestions: !isClaudeAgentSdk(environment),
    speaksToClaudeSdk: isClaudeAgentSdk(environment),
    ...readLineLimit(environment),
    debug: flags.debug === true,
  };
}

/** `OPENAI_MODEL` says something only where that provider is used. */
function modelOf({ QWEN_MODEL, OPENAI_MODEL }: Environment, provider: ProviderChoice): string | undefined {
  const isOpenAi = provider.ok && provider.settings.family === 'openai-compatible';
  return QWEN_MODEL ?? (isOpenAi ? OPENAI_MODEL : undefined);
}

/** Without any word the agent asks, also under the SDK channel (FEATURES D6). Flags that say different things are refused. */
function choosePermissionMode({ yolo, approvalMode, permissionMode }: Flags): PermissionMode | undefined {
  const words: readonly (PermissionMode | undefined)[] = [
    yolo === true ? 'yolo' : undefined,
    approvalMode,
    toOwnMode(permissionMode),
  ];
  const said = words.filter((mode) => mode !== undefined);
  const [mode, ...others] = said;
  if (others.some((other) => other !== mode)) {
    throw new AgentError('usage', '--approval-mode, --permission-mode and --yolo contradict each other');
  }
  return mode;
}

function readLineLimit({ QWEN_MAX_LINE_BYTES: text }: Environment): Pick<Configuration, 'maxLineBytes'> {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,9}$/.test(text)) {
    throw new AgentError('usage', `QWEN_MAX_LINE_BYTES needs a number of bytes above 0, not "${text}"`);
  }
  return { maxLineBytes: Number(text) };
}
