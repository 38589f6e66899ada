import { type AgentConfig, AgentError, EFFORTS, type Effort, nearestName } from '@qwen/protocol';
import { toArgumentList } from '../transport/spawn-args.js';
import type { ForeignAgentMembers, QueryOptions } from './options.js';

/** Why an option of a similar SDK is refused. An ignored guard or limit would be worse than an error. */
const REFUSED: Readonly<Record<string, string>> = {
  taskBudget: 'use budget',
  maxToolCalls: 'use budget.toolCalls',
  maxSubagentDepth: 'subagents start no others',
  sandbox: 'run the CLI in a container by spawnProcess',
  agent: 'the main agent is set by systemPrompt, model and coreTools',
  canUseToolTimeout: 'use timeout.canUseTool',
  permissionPromptToolName: 'use canUseTool',
  permissionPrompts: 'without canUseTool, every permission request is denied',
  executableArgs: 'use spawnProcess',
  resumeDropsTurn: 'use resumeSessionAt',
  settings: 'write a settings file, or use options and extraArgs',
  ...Object.fromEntries(
    [
      'extensions',
      'allowedMcpServerNames',
      'proxy',
      'safeMode',
      'insecure',
      'worktree',
      'disabledSlashCommands',
      'logLevel',
      'betas',
      'debugFile',
      'enableFileCheckpointing',
      'managedSettings',
      'onUserDialog',
      'persistSession',
      'planModeInstructions',
      'plugins',
      'projectConfigRoot',
      'promptSuggestions',
      'sessionStore',
      'skills',
      'title',
      'toolAliases',
      'toolConfig',
    ].map((name) => [name, '']),
  ),
};

/** Old name, own name. */
const ALIASES = {
  maxTurns: 'maxSessionTurns',
  disallowedTools: 'excludeTools',
  tools: 'coreTools',
  outputFormat: 'outputSchema',
  pathToClaudeCodeExecutable: 'pathToQwenExecutable',
  spawnClaudeCodeProcess: 'spawnProcess',
} as const;

const FOREIGN_NAMES: readonly string[] = [
  ...Object.keys(ALIASES),
  'allowDangerouslySkipPermissions',
  'thinking',
  'maxThinkingTokens',
  'strictMcpConfig',
];

const MODES: ReadonlyMap<unknown, QueryOptions['permissionMode']> = new Map([
  ['acceptEdits', 'auto-edit'],
  ['bypassPermissions', 'yolo'],
  ['dontAsk', 'default'],
]);

const TIERS: ReadonlySet<string> = new Set(['haiku', 'sonnet', 'opus']);

/** Largest number of thinking tokens of each effort. */
const THINKING_TOKENS: readonly (readonly [number, Effort])[] = [
  [4_096, 'low'],
  [16_384, 'medium'],
  [32_768, 'high'],
];

/**
 * Options under their own names, with `toolNames: 'claude'` if any had another. Throws `invalid_options` for options
 * of other SDKs that have no counterpart and for two names with different values. Values are not checked.
 */
export function toOwnOptions(given: QueryOptions): QueryOptions {
  for (const [name, value] of Object.entries(given)) refuseForeign(name, value);
  const own: Record<string, unknown> = { ...given };
  for (const [name, ownName] of Object.entries(ALIASES)) {
    if (own[name] !== undefined) setOwn(own, { name, ownName, value: toOwnValue(name, own[name]) });
    delete own[name];
  }
  const { permissionMode, systemPrompt, extraArgs } = given;
  const mode = MODES.get(permissionMode);
  if (mode !== undefined) own['permissionMode'] = mode;
  // In this mode no one is asked.
  if ((permissionMode as unknown) === 'dontAsk') delete own['canUseTool'];
  if (Array.isArray(systemPrompt)) own['systemPrompt'] = systemPrompt.join('\n\n');
  const effort = given.effort ?? toEffort(given);
  if (effort !== undefined) own['effort'] = effort;
  if (given.strictMcpConfig === true) own['extraArgs'] = [...toArgumentList(extraArgs), '--strict-mcp-config'];
  for (const name of FOREIGN_NAMES) delete own[name];
  if (given.toolNames === undefined && isForeign(given)) own['toolNames'] = 'claude';
  return own;
}

/** A subagent under the names of this SDK. */
export function toOwnAgent({ prompt, maxTurns, ...agent }: AgentConfig & ForeignAgentMembers): AgentConfig {
  if (prompt !== undefined && agent.systemPrompt !== undefined && prompt !== agent.systemPrompt) {
    throw contradiction(`options.agents.${agent.name}.prompt`, 'systemPrompt');
  }
  const { runConfig = {} } = agent;
  if (maxTurns !== undefined && runConfig.maxTurns !== undefined && maxTurns !== runConfig.maxTurns) {
    throw contradiction(`options.agents.${agent.name}.maxTurns`, 'runConfig.maxTurns');
  }
  // The tiers of another provider's models name no model here.
  const { model, ...rest } = agent;
  return {
    ...rest,
    ...(model !== undefined && !TIERS.has(model) && { model }),
    ...(prompt !== undefined && { systemPrompt: prompt }),
    ...(maxTurns !== undefined && { runConfig: { ...runConfig, maxTurns } }),
  };
}

/** The nearest of the names, never one that means the opposite. */
export function suggestedName(typed: string, names: readonly string[]): string | undefined {
  return nearestName(
    typed,
    names.filter((name) => isNegative(name) === isNegative(typed)),
  );
}

/** Names that unknown options are compared with. */
export function suggestedOption(typed: string, names: readonly string[]): string | undefined {
  return suggestedName(typed, [...names, ...FOREIGN_NAMES]);
}

function isNegative(name: string): boolean {
  return /dis(?!play)|den[yi]|exclu|forbid|block|prohibit|skip|without|insecure|^no[A-Z]/i.test(name);
}

/** Whether the option is known but has no counterpart. */
export function isRefusedOption(name: string): boolean {
  return Object.hasOwn(REFUSED, name);
}

function refuseForeign(name: string, value: unknown): void {
  if (!Object.hasOwn(REFUSED, name) || isEmpty(name, value)) return;
  const reason = REFUSED[name] ?? '';
  throw refusal(`options.${name} is not supported by this version${reason === '' ? '' : `: ${reason}`}`);
}

/** What asks for nothing may be left out. */
function isEmpty(name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === (name === 'persistSession')) return true;
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
    throw cannotStopThinking('thinking');
  const isEnabled = thinking?.type === 'enabled';
  const tokens = thinking === undefined ? maxThinkingTokens : isEnabled ? thinking.budgetTokens : undefined;
  if (tokens === undefined || tokens === null) return undefined;
  if (typeof tokens !== 'number' || !(tokens > 0)) throw cannotStopThinking('maxThinkingTokens');
  return THINKING_TOKENS.find(([most]) => tokens <= most)?.[1] ?? EFFORTS.at(-1);
}

function cannotStopThinking(name: string): AgentError {
  return refusal(`options.${name}: thinking cannot be disabled by this version; effort sets how much the model thinks`);
}

function isForeign({ permissionMode, systemPrompt, agents, ...options }: QueryOptions): boolean {
  const isAgent = (agent: unknown) => typeof agent === 'object' && agent !== null && 'prompt' in agent;
  return (
    FOREIGN_NAMES.some((name) => Reflect.get(options, name) !== undefined) ||
    MODES.has(permissionMode) ||
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
