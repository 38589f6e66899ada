import {
  type AgentConfig,
  AgentError,
  type Effort,
  effortOfTokens,
  fromClaudeMode,
  isClaudeMode,
  isJsonObject,
  nearestName,
  type PermissionMode,
} from '@qwen/protocol';
import { toArgumentList } from '../transport/spawn-args.js';
import type { ForeignAgentMembers, PermissionModeOption, QueryOptions } from './options.js';

/** Why an option of a similar SDK is refused, and what to use. An ignored guard or limit would be worse than an error. */
export const REFUSED_OPTIONS: Readonly<Record<string, string>> = {
  agent: 'configure the main agent with systemPrompt, model and coreTools',
  agentProgressSummaries: 'subagents report no summaries; read their messages by parent_tool_use_id',
  betas: 'set modelOptions.extraHeaders in the user settings',
  canUseToolTimeout: 'use timeout.canUseTool',
  debugFile: 'write the lines of the callback stderr to a file, with debug',
  executableArgs: 'use spawnProcess',
  extensions: 'extensions are not supported; use agents, hooks and mcpServers',
  insecure: 'TLS certificates are always verified; set NODE_EXTRA_CA_CERTS in env',
  managedSettings: 'use excludeTools and settingSources, or the settings of the user',
  onUserDialog:
    'the CLI has no dialogs other than questions, confirmations and forms: use canUseTool, onConfirm, onElicitation',
  permissionPromptToolName: 'use canUseTool',
  perTaskStopAffordance: 'there are no background agents to stop; interrupt() stops the turn',
  persistSession: 'sessions are always stored; call deleteSession() after the query',
  planModeInstructions: 'use systemPrompt with append',
  pluginDelivery: 'name the folders in plugins',
  projectConfigRoot: 'settings are read from cwd; use settingSources to leave the project out',
  promptSuggestions: 'the CLI suggests no prompts',
  resumeDropsTurn: 'use resumeSessionAt',
  settings: 'write a settings file, or use options and extraArgs',
  supportedDialogKinds: 'the CLI has no dialogs besides questions, confirmations and forms',
  taskBudget: 'use budget.tokens',
  title: 'call renameSession() after the first result',
  toolAliases: 'exclude the tool with excludeTools and provide one from an MCP server',
  toolConfig: 'set askUserQuestion.previewFormat to "markdown" or "html"; other tools have no such settings',
  worktree: 'create the worktree and set cwd',
};

export const REFUSED_AGENT_MEMBERS: Readonly<Record<string, string>> = {
  autoCompactWindow: 'the context window of the model determines when a subagent compacts',
  background: 'subagents run in the foreground',
  criticalSystemReminder_EXPERIMENTAL: 'add the text to the prompt',
  effort: 'effort is an option of the session',
  initialPrompt: 'configure the main agent with options, not with a subagent',
  mcpServers: 'subagents use the MCP servers of the session; limit them with tools',
  memory: 'subagents have no separate memory',
  observer: 'a subagent has no observer; use hooks',
  observerMessage: 'a subagent has no observer; use hooks',
  omitClaudeMd: 'use settingSources to leave the project out',
  permissionMode: 'subagents follow the mode of the session',
  skills: 'subagents have no skills of their own; write the instructions into the prompt',
};

export const REFUSED_SERVER_MEMBERS: Readonly<Record<string, string>> = {
  tools: 'add the tools to allowedTools and excludeTools as mcp__server__tool, or use includeTools',
};

export const REFUSED_HOOKS: Readonly<Record<string, string>> = {
  ConfigChange: 'settings are read at the start',
  CwdChanged: 'the working directory of a session does not change',
  DirectoryAdded: 'directories are set when the session starts',
  Elicitation: 'use onElicitation',
  ElicitationResult: 'use onElicitation',
  FileChanged: 'files are not watched',
  InstructionsLoaded: 'instruction files are read before the first turn; use SessionStart',
  MessageDisplay: 'read the messages of the query',
  PermissionDenied: 'read permission_denials of the result',
  PostCompact: 'read the message compact_boundary',
  PostModelSwitch: 'read the message model_changed',
  PostToolBatch: 'use PostToolUse',
  PreModelSwitch: 'read the message model_fallback',
  PreSkillShellCommand: 'use excludeTools and onConfirm, which decide about commands in !{…}',
  Setup: 'use SessionStart',
  StopFailure: 'read the error of the result',
  TaskCompleted: 'there is no shared task list; use PostToolUse with the matcher TodoWrite',
  TaskCreated: 'there is no shared task list; use PostToolUse with the matcher TodoWrite',
  TeammateIdle: 'there are no teams of agents',
  UserPromptExpansion: 'use UserPromptSubmit',
  WorktreeCreate: 'create the worktree and set cwd',
  WorktreeRemove: 'create the worktree and set cwd',
};

const ALIASES = {
  maxTurns: 'maxSessionTurns',
  disallowedTools: 'excludeTools',
  tools: 'coreTools',
  outputFormat: 'outputSchema',
  customSystemPrompt: 'systemPrompt',
  pathToClaudeCodeExecutable: 'pathToQwenExecutable',
  spawnClaudeCodeProcess: 'spawnProcess',
} as const;

const FOREIGN_NAMES: readonly string[] = [
  ...Object.keys(ALIASES),
  'appendSystemPrompt',
  'toolConfig',
  'allowDangerouslySkipPermissions',
  'thinking',
  'maxThinkingTokens',
  'strictMcpConfig',
  'permissionPrompts',
  'forwardSubagentText',
  'mcpServersDelivery',
];

/** Members of options that are converted before their schema is applied. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  outputFormat: ['type', 'schema'],
  systemPrompt: ['type', 'prompt', 'preset', 'append', 'snapshot'],
  thinking: ['type', 'budgetTokens', 'display'],
  tools: ['type', 'preset'],
};

const TIERS: ReadonlySet<string> = new Set(['fable', 'haiku', 'sonnet', 'opus']);

/**
 * Separates the constant pieces of `systemPrompt` from others. Not sent: providers cache prompts without it.
 * @example
 * import { SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from '@qwen/sdk/claude';
 * const systemPrompt = ['Answer in French.', SYSTEM_PROMPT_DYNAMIC_BOUNDARY, `Today is ${new Date().toDateString()}.`];
 */
export const SYSTEM_PROMPT_DYNAMIC_BOUNDARY = '__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__';

/**
 * Options under their own names, with `toolNames: 'claude'` if any had another. Throws `invalid_options` for options
 * of other SDKs that have no counterpart and for two names with different values. Values are not checked.
 */
export function toOwnOptions(given: QueryOptions): QueryOptions {
  for (const [name, value] of Object.entries(given)) refuseForeign(name, value);
  for (const [name, known] of Object.entries(MEMBERS)) checkForeign(name, Reflect.get(given, name), known);
  const own: Record<string, unknown> = { ...given };
  for (const [name, ownName] of Object.entries(ALIASES)) {
    if (own[name] !== undefined) setOwn(own, { name, ownName, value: toOwnValue(name, own[name]) });
    delete own[name];
  }
  const { permissionMode } = given;
  if (permissionMode !== undefined) own['permissionMode'] = toOwnMode(permissionMode, 'options.permissionMode');
  // In this mode no one is asked.
  if ((permissionMode as unknown) === 'dontAsk' || answersNobody(given)) delete own['canUseTool'];
  const { pathToQwenExecutable: path } = own;
  const [, runtime, script] = (typeof path === 'string' ? /^(node|bun|deno):(.+)$/.exec(path) : undefined) ?? [];
  if (script !== undefined) {
    Object.assign(own, { executable: given.executable ?? runtime, pathToQwenExecutable: script });
  }
  const prompt = appended(toOwnPrompt(own['systemPrompt']) ?? own['systemPrompt'], given);
  if (prompt !== undefined) own['systemPrompt'] = prompt;
  const effort = toEffort(given);
  if (effort !== undefined) own['effort'] ??= effort;
  const flags = toFlags(given);
  if (flags.length > 0) own['extraArgs'] = [...toArgumentList(given.extraArgs), ...flags];
  for (const name of FOREIGN_NAMES) delete own[name];
  if (given.toolNames === undefined && isForeign(given)) own['toolNames'] = 'claude';
  return own;
}

function toFlags({ strictMcpConfig, toolConfig }: QueryOptions): string[] {
  const previews = toolConfig?.askUserQuestion?.previewFormat;
  return [
    ...(strictMcpConfig === true ? ['--strict-mcp-config'] : []),
    ...(previews === undefined ? [] : [`--question-previews=${previews}`]),
  ];
}

/** A mode under its own name; words that name no mode are returned unchanged. Throws for `auto`, which has none. */
export function toOwnMode(mode: PermissionModeOption, place: string): PermissionMode {
  if ((mode as unknown) === 'auto') {
    throw refusal(`${place}: auto is not supported: no model decides which calls run; use default with canUseTool`);
  }
  return fromClaudeMode(mode);
}

/** The effort for a number of thinking tokens; null for null. Throws for 0. */
export function toEffortOf(tokens: number | null, place: string): Effort | null {
  if (tokens === null) return null;
  if (!(tokens > 0)) throw cannotStopThinking(place);
  return effortOfTokens(tokens);
}

/** A subagent under the names of this SDK. */
export function toOwnAgent({ prompt, maxTurns, ...agent }: AgentConfig & ForeignAgentMembers): AgentConfig {
  if (prompt !== undefined && agent.systemPrompt !== undefined && prompt !== agent.systemPrompt) {
    throw contradiction(`options.agents.${agent.name}.prompt`, 'systemPrompt');
  }
  const runConfig = toOwnRunConfig(agent);
  if (maxTurns !== undefined && runConfig.maxTurns !== undefined && maxTurns !== runConfig.maxTurns) {
    throw contradiction(`options.agents.${agent.name}.maxTurns`, 'runConfig.maxTurns');
  }
  // The tiers of another provider's models name no model here.
  const { model, ...rest } = agent;
  return {
    ...rest,
    ...(model !== undefined && !TIERS.has(model) && { model }),
    ...(prompt !== undefined && { systemPrompt: prompt }),
    ...((agent.runConfig !== undefined || maxTurns !== undefined) && {
      runConfig: { ...runConfig, ...(maxTurns !== undefined && { maxTurns }) },
    }),
  };
}

type RunConfig = NonNullable<AgentConfig['runConfig']>;

const RUN_LIMITS = { max_turns: 'maxTurns', max_time_minutes: 'maxTimeMinutes' } as const;

function toOwnRunConfig({ name, runConfig = {} }: AgentConfig): RunConfig {
  const own: Record<string, unknown> = { ...runConfig };
  for (const [alias, ownName] of Object.entries(RUN_LIMITS)) {
    const value = own[alias];
    delete own[alias];
    if (value === undefined) continue;
    const place = `options.agents.${name}.runConfig`;
    if (own[ownName] !== undefined && own[ownName] !== value)
      throw contradiction(`${place}.${alias}`, `${place}.${ownName}`);
    own[ownName] = value;
  }
  return own;
}

/** The nearest of the names, never one that means the opposite. */
export function suggestedName(typed: string, names: readonly string[]): string | undefined {
  const alike = names.filter((name) => isNegative(name) === isNegative(typed));
  return nearestName(typed, alike);
}

export function suggestedOption(typed: string, names: readonly string[]): string | undefined {
  return suggestedName(typed, [...names, ...FOREIGN_NAMES]);
}

function isNegative(name: string): boolean {
  return /dis(?!play)|den[yi]|exclu|forbid|block|prohibit|skip|without|insecure|^no[A-Z]/i.test(name);
}

export function isRefusedOption(name: string): boolean {
  return Object.hasOwn(REFUSED_OPTIONS, name);
}

function refuseForeign(name: string, value: unknown): void {
  if (!Object.hasOwn(REFUSED_OPTIONS, name) || isEmpty(name, value)) return;
  throw refusal(`options.${name} is not supported by this version: ${REFUSED_OPTIONS[name]}`);
}

function checkForeign(name: string, value: unknown, known: readonly string[]): void {
  if (!isJsonObject(value)) return;
  const unknown = Object.keys(value).find((member) => value[member] !== undefined && !known.includes(member));
  if (unknown === undefined) return;
  const nearest = suggestedName(unknown, known);
  throw refusal(
    `options.${name}.${unknown} does not exist${nearest === undefined ? '' : `; did you mean ${nearest}?`}`,
  );
}

function appended(prompt: unknown, { appendSystemPrompt: text }: QueryOptions): unknown {
  if (text === undefined) return prompt;
  if (typeof (text as unknown) !== 'string') throw refusal('options.appendSystemPrompt: expected string');
  if (typeof prompt === 'string') return `${prompt}\n\n${text}`;
  if (prompt !== undefined && typeof prompt !== 'object') return prompt;
  const preset = { type: 'preset', preset: 'qwen_code', ...prompt };
  return { ...preset, append: 'append' in preset ? `${String(preset.append)}\n\n${text}` : text };
}

/** Pieces and the custom form as text; undefined for the other forms. */
function toOwnPrompt(prompt: unknown): string | undefined {
  if (Array.isArray(prompt)) return prompt.filter((piece) => piece !== SYSTEM_PROMPT_DYNAMIC_BOUNDARY).join('\n\n');
  if (!hasMember(prompt, 'type', 'custom') || !('prompt' in prompt)) return undefined;
  return typeof prompt.prompt === 'string' ? prompt.prompt : toOwnPrompt(prompt.prompt);
}

function answersNobody({ permissionPrompts }: QueryOptions): boolean {
  const value: unknown = permissionPrompts;
  if (value === undefined || value === 'host') return false;
  if (value === 'none') return true;
  throw refusal('options.permissionPrompts: expected "host" or "none"');
}

function isPreviewFormat(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { askUserQuestion: question, ...others } = value;
  if (Object.keys(others).length > 0 || (question !== undefined && !isJsonObject(question))) return false;
  const { previewFormat: format, ...more } = question ?? {};
  return Object.keys(more).length === 0 && [undefined, 'markdown', 'html'].some((known) => known === format);
}

/** Whether the option requests nothing. */
function isEmpty(name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === (name === 'persistSession')) return true;
  if (name === 'toolConfig') return isPreviewFormat(value);
  return Array.isArray(value) && value.length === 0;
}

interface Alias {
  readonly name: string;
  readonly ownName: string;
  readonly value: unknown;
}

function setOwn(own: Record<string, unknown>, { name, ownName, value }: Alias): void {
  const other = own[ownName];
  const isSameList = Array.isArray(other) && JSON.stringify(other) === JSON.stringify(value);
  if (other !== undefined && !Object.is(other, value) && !isSameList) {
    throw contradiction(`options.${name}`, `options.${ownName}`);
  }
  own[ownName] = value;
}

function toOwnValue(name: string, value: unknown): unknown {
  if (name === 'tools' && hasMember(value, 'preset', 'claude_code')) return undefined;
  if (name !== 'outputFormat') return value;
  if (hasMember(value, 'type', 'json_schema') && 'schema' in value) return value.schema;
  throw refusal('options.outputFormat: expected { type: "json_schema", schema }');
}

function hasMember(value: unknown, name: string, expected: string): value is object {
  return typeof value === 'object' && value !== null && Reflect.get(value, name) === expected;
}

function toEffort({ thinking, maxThinkingTokens }: QueryOptions): Effort | undefined {
  if (thinking !== undefined && (thinking as { type: string }).type === 'disabled')
    throw cannotStopThinking('options.thinking');
  const isEnabled = thinking?.type === 'enabled';
  const tokens = thinking === undefined ? maxThinkingTokens : isEnabled ? thinking.budgetTokens : undefined;
  if (tokens === undefined || tokens === null) return undefined;
  return toEffortOf(tokens, 'options.maxThinkingTokens') ?? undefined;
}

function cannotStopThinking(place: string): AgentError {
  return refusal(`${place}: thinking cannot be disabled by this version; effort sets how much the model thinks`);
}

function isForeign({ permissionMode, systemPrompt, agents, ...options }: QueryOptions): boolean {
  const isAgent = (agent: unknown) => typeof agent === 'object' && agent !== null && 'prompt' in agent;
  return (
    FOREIGN_NAMES.some((name) => Reflect.get(options, name) !== undefined) ||
    isClaudeMode(permissionMode) ||
    hasMember(systemPrompt, 'preset', 'claude_code') ||
    Object.values(agents ?? {}).some(isAgent)
  );
}

function contradiction(name: string, other: string): AgentError {
  return refusal(`${name} and ${other} are the same option with different values`);
}

function refusal(message: string): AgentError {
  return new AgentError('invalid_options', message);
}
