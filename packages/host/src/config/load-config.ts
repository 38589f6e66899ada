import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { PermissionRules } from '@qwen/agent';
import { AgentError, type Budget, defined, type Effort, type PermissionMode, systemCodeOf } from '@qwen/protocol';
import type { WebSearchChoice } from '@qwen/tools';
import * as z from 'zod/mini';
import type { AgentFiles } from '../agents/agent-files.js';
import type { Flags } from '../flags/args.js';
import { NO_SKILLS, type SkillFiles } from '../skills/skill.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { chooseAdditionalRoots, presentRoot, readRootLimits } from './additional-roots.js';
import { isClaudeAgentSdk, isSdkChannel } from './channel.js';
import { findConfigDir, sessionsFolder } from './config-dir.js';
import { type Environment, withVariables } from './env.js';
import { type McpServerChoice, readMcpConfig, withSettingsServers } from './mcp-servers.js';
import { createModelPrices, priceAdvice } from './model-prices.js';
import { createModelRoutes, type ModelRoutes } from './model-routes.js';
import { choosePermissionMode } from './permission-mode.js';
import { readBudget, readCount } from './prompt-limits.js';
import type { ProviderChoice } from './provider.js';
import { chooseSandbox, type SandboxChoice, sandboxHosts, sandboxRules, withDeniedHosts } from './sandbox-choice.js';
import type { EffectiveSettings, RunLimits } from './settings.js';
import {
  absentCoreTools,
  checkToolNames,
  limitsOfCoreTools,
  selectTools,
  type ToolSelection,
} from './tool-selection.js';
import { chooseWebSearch } from './web-search-choice.js';

/** The validated configuration of a run: flags over variables over settings over defaults. */
export interface Configuration {
  readonly cwd: string;
  /** Additional workspace folders; absolute real paths. */
  readonly additionalRoots: readonly string[];
  readonly rootLimits: readonly string[];
  readonly homeDirectory: string;
  readonly configDir: string;
  readonly sessionsDirectory: string;
  /** From the settings files. Where a flag or variable can override a setting, the member here joins both. */
  readonly settings: EffectiveSettings;
  readonly agentFiles: AgentFiles;
  readonly skillFiles: SkillFiles;
  /** The provider of the initial model. */
  readonly provider: ProviderChoice;
  /** Models may have other providers. */
  readonly routes: ModelRoutes;
  /** The start model, which `set_model` with null restores. */
  readonly model: string;
  readonly permissionMode: PermissionMode;
  /** Whether calls that need a question are denied. */
  readonly asksNoOne: boolean;
  /** Whether an app that declares nothing answers questions of the model. */
  readonly answersQuestions: boolean;
  /** The format of previews in questions of the model. Missing: none. */
  readonly questionPreviews?: 'markdown' | 'html';
  readonly rules: PermissionRules;
  readonly tools: ToolSelection;
  readonly mcpServers: McpServerChoice;
  readonly readsMcpFile: boolean;
  readonly allowedMcpServers?: readonly string[];
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /** Instruction files and commands of the project. */
  readonly readsProjectInstructions: boolean;
  readonly readsUserInstructions: boolean;
  readonly trustsProject: boolean;
  /** Per prompt. */
  readonly budget: Budget;
  readonly sessionTokenLimit?: number;
  /** In tokens; overrides the known window. */
  readonly contextWindow?: number;
  readonly trajectoryFile?: string;
  /** Receives the last answer. */
  readonly lastMessageFile?: string;
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  readonly fallbackModels: readonly string[];
  readonly disabledCommands?: readonly string[];
  /** Default: the provider's. */
  readonly effort?: Effort;
  /** Per prompt. Default: the agent's limit. */
  readonly maxModelCalls?: number;
  readonly includePartialMessages: boolean;
  readonly includeHookEvents: boolean;
  /** Whether `can_use_tool` includes suggestions. */
  readonly sendsSuggestions: boolean;
  /** Whether control lines use the Claude Agent SDK's format. */
  readonly usesClaudeFormat: boolean;
  /** In bytes. Default: the protocol's limit. */
  readonly maxLineBytes?: number;
  /** Missing: commands run without one. */
  readonly sandbox?: SandboxChoice;
  /** Missing: there is no `web_search`. */
  readonly webSearch?: WebSearchChoice;
  readonly debug: boolean;
  readonly telemetry?: Telemetry;
}

export interface ConfigurationSources {
  readonly flags: Flags;
  readonly environment: Environment;
  readonly cwd: string;
  readonly settings: EffectiveSettings;
  readonly agentFiles: AgentFiles;
  /** Default: none. */
  readonly skillFiles?: SkillFiles;
  /** Whether a person sees the terminal UI, where commands run in a sandbox by default on Linux. Default false. */
  readonly isScreen?: boolean;
}

/**
 * Combines all sources. Reads only the files of `--mcp-config`. Throws `usage`, and `invalid_settings` for an
 * invalid additional folder.
 */
export function loadConfiguration(sources: ConfigurationSources): Configuration {
  const { flags, cwd, settings, agentFiles, skillFiles = NO_SKILLS, isScreen = false } = sources;
  const { extra } = settings;
  const environment = withVariables(sources.environment, extra.variables);
  const homeDirectory = homedir();
  const configDir = findConfigDir(environment, cwd);
  const rootLimits = readRootLimits(environment.QWEN_WORKSPACE_ROOTS);
  const places = { cwd, homeDirectory, limits: rootLimits };
  const coreTools = flags.coreTools ?? extra.coreTools;
  const only = limitsOfCoreTools(coreTools ?? []);
  const routes = createModelRoutes({ flags, environment, settings });
  const { model } = routes;
  const fallbackModels = flags.fallbackModel ?? settings.fallbackModels;
  const doubts = [model, ...fallbackModels].flatMap((name) => routes.doubtAbout(name) ?? []);
  const limits = readLimits(flags, extra.limits);
  if (limits.budget.usd !== undefined) checkPrices([model, ...fallbackModels], routes);
  const search = chooseWebSearch({ settings: settings.webSearch, environment });
  const hasWebSearch = search.webSearch !== undefined;
  const sandbox = chooseSandbox({
    flags,
    environment,
    preferences: settings.sandbox,
    isOnByDefault: isScreen && process.platform === 'linux',
    cwd,
    homeDirectory,
    configDir,
  });
  const rules = joinRules(flags, settings, sandbox);
  const usesClaudeFormat = isClaudeAgentSdk(environment);
  return {
    cwd,
    rootLimits,
    additionalRoots: chooseAdditionalRoots({
      ...places,
      fromSettings: settings.additionalDirectories,
      ifPresent: extra.includeDirectories ?? [],
      fromFlags: flags.includeDirectories ?? [],
    }),
    homeDirectory,
    configDir,
    sessionsDirectory: flags.sessionsDir === undefined ? sessionsFolder(configDir) : resolve(cwd, flags.sessionsDir),
    settings: {
      ...settings,
      notices: [
        ...settings.notices,
        ...missingFolders(extra.includeDirectories ?? [], places),
        ...missingTools(coreTools ?? [], { hasWebSearch }),
        ...search.notices,
        ...doubts.map((message) => ({ code: 'unknown_provider', message })),
      ],
    },
    agentFiles,
    skillFiles,
    provider: routes.of(model).provider,
    routes,
    model,
    fallbackModels,
    ...limits,
    permissionMode: choosePermissionMode(flags) ?? settings.defaultMode ?? 'default',
    asksNoOne: asksNoOne(flags, environment),
    answersQuestions: answersQuestions(flags, environment),
    ...readFlags(flags),
    ...readOutput(flags, cwd),
    rules: { ...rules, ...(only.length > 0 && { only }) },
    tools: selectTools({
      ...defined({ coreTools }),
      excludeTools: rules.deny,
      hasSkills: skillFiles.skills.some(({ isListed }) => isListed),
      hasWebSearch,
    }),
    ...readServers(flags, settings),
    sendsSuggestions: !usesClaudeFormat,
    usesClaudeFormat,
    ...readLineLimit(environment),
    ...defined({
      questionPreviews: flags.questionPreviews ?? previewsOf(environment),
      sandbox: withDeniedHosts(sandbox, rules.deny),
      webSearch: search.webSearch,
    }),
  };
}

function readServers(flags: Flags, { mcpServers, extra }: EffectiveSettings) {
  const isStrict = flags.strictMcpConfig === true;
  return {
    mcpServers: withSettingsServers(readMcpConfig(flags.mcpConfig ?? []), isStrict ? [] : mcpServers),
    readsMcpFile: !isStrict && flags.safeMode !== true && readsLayer(flags, 'project'),
    ...defined({ allowedMcpServers: flags.allowedMcpServerNames ?? extra.allowedMcpServers }),
  };
}

function readsLayer({ settingSources }: Flags, layer: 'user' | 'project'): boolean {
  return settingSources?.includes(layer) ?? true;
}

function readFlags(flags: Flags) {
  return {
    readsProjectInstructions: flags.safeMode !== true && readsLayer(flags, 'project'),
    readsUserInstructions: flags.safeMode !== true && readsLayer(flags, 'user'),
    trustsProject: flags.trustProject === true,
    includePartialMessages: flags.includePartialMessages === true || flags.outputFormat === 'stream-chunk-json',
    includeHookEvents: flags.includeHookEvents === true,
    debug: flags.debug === true,
    ...defined({
      disabledCommands: flags.disabledSlashCommands,
      // The Claude Agent SDK sends an empty string when its app set none.
      systemPrompt: flags.systemPrompt || undefined,
      appendSystemPrompt: flags.appendSystemPrompt,
      effort: flags.effort,
    }),
  };
}

function readOutput({ jsonSchema, trajectory, outputLastMessage }: Flags, cwd: string) {
  return defined({
    outputSchema: jsonSchema === undefined ? undefined : readJsonSchema(jsonSchema),
    trajectoryFile: trajectory === undefined ? undefined : resolve(cwd, trajectory),
    lastMessageFile: outputLastMessage === undefined ? undefined : resolve(cwd, outputLastMessage),
  });
}

type Limits = Pick<Configuration, 'budget' | 'sessionTokenLimit' | 'contextWindow' | 'maxModelCalls'>;

function readLimits(flags: Flags, limits: RunLimits): Limits {
  const maxTurns = flags.maxSessionTurns ?? limits.maxSessionTurns;
  const maxModelCalls = readCount('max-session-turns', maxTurns);
  return {
    budget: readBudget(flags, limits),
    ...defined({
      sessionTokenLimit: readCount('session-token-limit', flags.sessionTokenLimit ?? limits.sessionTokens),
      contextWindow: readCount('context-window', flags.contextWindow),
      maxModelCalls: maxTurns === -1 ? Number.POSITIVE_INFINITY : maxModelCalls,
    }),
  };
}

function joinRules(
  { allowedTools = [], excludeTools = [] }: Flags,
  settings: EffectiveSettings,
  sandbox: SandboxChoice | undefined,
): Configuration['rules'] {
  checkToolNames('allowed-tools', allowedTools);
  checkToolNames('exclude-tools', excludeTools);
  const { allow, ask, deny } = settings.rules;
  const hosts = sandboxHosts(settings.sandbox, sandbox);
  return {
    allow: [...allow, ...allowedTools, ...hosts.allow],
    ask,
    deny: [...deny, ...excludeTools, ...sandboxRules(sandbox), ...hosts.deny],
  };
}

function missingFolders(
  folders: readonly string[],
  places: Parameters<typeof presentRoot>[1],
): EffectiveSettings['notices'] {
  const missing = folders.filter((path) => presentRoot(path, places).length === 0);
  if (missing.length === 0) return [];
  const message = `context.includeDirectories: these folders cannot be added: ${missing.join(', ')}.`;
  return [{ code: 'settings_skipped', message }];
}

function missingTools(coreTools: readonly string[], has: { hasWebSearch: boolean }): EffectiveSettings['notices'] {
  const missing = absentCoreTools(coreTools, has);
  if (missing.length === 0) return [];
  const message = `--core-tools: not offered, because they do not exist here or are not configured: ${missing.join(', ')}.`;
  return [{ code: 'tools_not_offered', message }];
}

/** A limit of cost cannot be kept without prices. */
function checkPrices(models: readonly string[], routes: ModelRoutes): void {
  const prices = createModelPrices(routes);
  const unknown = models.find((model) => !prices.isKnown(model));
  if (unknown === undefined) return;
  const message = `--max-budget-usd needs the price of ${unknown}, which is unknown. ${priceAdvice(unknown)}`;
  throw new AgentError('usage', message);
}

/** A terminal and an editor would ask in spite of it. */
function asksNoOne({ permissionMode, ...flags }: Flags, environment: Environment): boolean {
  if (permissionMode !== 'dontAsk') return false;
  if (isSdkChannel(flags, environment)) return true;
  const message = '--permission-mode dontAsk is for SDKs. Use --print, which denies calls that need approval.';
  throw new AgentError('usage', message);
}

/** The SDKs of Claude pass a flag. Other apps answer unless their `initialize` says otherwise. */
function answersQuestions(flags: Flags, environment: Environment): boolean {
  if (flags.permissionPromptTool !== undefined) return true;
  return isSdkChannel(flags, environment) && !isClaudeAgentSdk(environment);
}

function previewsOf({ CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: format }: Environment): 'markdown' | 'html' | undefined {
  return format === 'markdown' || format === 'html' ? format : undefined;
}

export function readLineLimit({ QWEN_MAX_LINE_BYTES: text }: Environment): Pick<Configuration, 'maxLineBytes'> {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,9}$/.test(text)) {
    throw new AgentError('usage', `QWEN_MAX_LINE_BYTES needs a number of bytes above 0, not "${text}"`);
  }
  return { maxLineBytes: Number(text) };
}

const schemaSchema = z.record(z.string(), z.unknown());

/** JSON, or the path of a file. Throws `usage`. */
function readJsonSchema(source: string): Readonly<Record<string, unknown>> {
  const isJson = source.trimStart().startsWith('{');
  try {
    return schemaSchema.parse(JSON.parse(isJson ? source : readFileSync(source, 'utf8')));
  } catch (cause) {
    const systemCode = systemCodeOf(cause);
    const what = isJson ? 'the given text' : `the file ${source}`;
    const problem = systemCode === undefined ? 'is not a JSON object' : `cannot be read (${systemCode})`;
    throw new AgentError('usage', `--json-schema: ${what} ${problem}`, { cause });
  }
}
