import {
  type AgentConfig,
  AgentError,
  agentConfigSchema,
  describeIssue,
  HOOK_EVENTS,
  nearestName,
} from '@qwen/protocol';
import { isRemoteArgument } from '@qwen/protocol/server';
import type * as z from 'zod/mini';
import type { HookMatcher } from '../hooks/hook-options.js';
import { toAgentList } from '../query/initialize-payload.js';
import { forks, reservedFlagOf, toArgumentList } from '../transport/spawn-args.js';
import { checkGuards } from './check-guards.js';
import { checkMcpServers } from './check-mcp-servers.js';
import {
  isRefusedOption,
  REFUSED_AGENT_MEMBERS,
  REFUSED_HOOKS,
  suggestedName,
  suggestedOption,
  toOwnOptions,
} from './foreign-options.js';
import type { ForeignAgentMembers, QueryOptions, QuerySystemPromptPreset, QueryTimeouts } from './options.js';
import { OPTION_SCHEMAS } from './options-schema.js';

/** Validates the options of `query()` and returns a copy. Throws `invalid_options` that names the option. */
export function checkOptions(given: QueryOptions): QueryOptions {
  try {
    return checkAll(given);
  } catch (thrown) {
    if (!AgentError.is(thrown) || thrown.code !== 'invalid_options' || thrown.message.startsWith('Invalid '))
      throw thrown;
    throw new AgentError(thrown.code, `Invalid QueryOptions: ${thrown.message}`, { cause: thrown, data: thrown.data });
  }
}

function checkAll(given: QueryOptions): QueryOptions {
  // A copy: changing the object later must not change a running query.
  refuseLostOptions(given);
  const options = toOwnOptions(withoutEmptyIds(given));
  for (const [name, value] of Object.entries(options)) checkOption(name, value);
  checkGuards(options);
  checkMcpServers(options.mcpServers ?? {});
  if (options.agents !== undefined) checkAgents(options.agents);
  checkSessionChoice(options);
  checkServerChoice(options);
  checkSessionStore(options);
  for (const argument of toArgumentList(options.extraArgs)) {
    const reserved = reservedFlagOf(argument);
    if (reserved !== undefined) throw refusal(`options.extraArgs: use the option for ${reserved} instead`);
  }
  return options;
}

/** Warns if `canUseTool` will never be called, which is nearly always a mistake. */
export function warnOfUnusedCallback({ permissionMode, canUseTool, stderr }: QueryOptions): void {
  if (permissionMode !== 'yolo' || canUseTool === undefined) return;
  const code = 'QWEN_CAN_USE_TOOL_SHADOWED';
  const message = 'canUseTool is never called: permissionMode "yolo" allows everything.';
  try {
    if (stderr === undefined) process.emitWarning(message, { code });
    else stderr(`[qwen sdk] ${code}: ${message}`);
  } catch {
    // A throwing callback must not prevent the query from starting.
  }
}

/** Copies do not have inherited members and those that are not enumerable, such as the getters of a class. */
function refuseLostOptions(given: QueryOptions): void {
  const isLost = (name: string) => name in given && !Object.prototype.propertyIsEnumerable.call(given, name);
  const lost = Object(given) === given ? Object.keys(OPTION_SCHEMAS).find(isLost) : undefined;
  if (lost !== undefined) throw refusal(`options.${lost}: expected an own, enumerable member of the object`);
}

/** An empty ID is none, as in `@qwen-code/sdk`. */
function withoutEmptyIds(given: QueryOptions): QueryOptions {
  const ids = ['sessionId', 'resume'] as const;
  const empty = ids.filter((name) => given[name] === '');
  return empty.length === 0 ? given : { ...given, ...Object.fromEntries(empty.map((name) => [name, undefined])) };
}

function checkOption(name: string, value: unknown): void {
  if (!isOptionName(name)) {
    if (isRefusedOption(name)) return;
    throw refusal(doesNotExist(`options.${name}`, suggestedOption(name, Object.keys(OPTION_SCHEMAS))));
  }
  if (value === undefined) return;
  const parsed = OPTION_SCHEMAS[name]().safeParse(value);
  if (parsed.success) return;
  const isId = name === 'sessionId' || name === 'resume';
  throw refusal(isId ? `Invalid ${name}: ${describe(name, parsed.error)}` : describe(name, parsed.error));
}

function isOptionName(name: string): name is keyof typeof OPTION_SCHEMAS {
  return Object.hasOwn(OPTION_SCHEMAS, name);
}

function describe(option: string, error: z.core.$ZodError): string {
  const issue = error.issues[0];
  if (issue?.code !== 'unrecognized_keys') return describeIssue(`options.${option}`, error);
  const unknown = issue.keys[0] ?? '';
  const isEvent = option === 'hooks' && issue.path.length === 0;
  if (isEvent && Object.hasOwn(REFUSED_HOOKS, unknown)) {
    return `options.hooks.${unknown} is not supported by this version: ${REFUSED_HOOKS[unknown]}`;
  }
  const nearest = isEvent ? nearestName(unknown, HOOK_EVENTS) : suggestedName(unknown, MEMBERS[option] ?? []);
  return doesNotExist(['options', option, ...issue.path.map(String), unknown].join('.'), nearest);
}

const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  budget: ['wallMs', 'turns', 'toolCalls', 'tokens', 'usd'] satisfies (keyof NonNullable<QueryOptions['budget']>)[],
  hooks: ['matcher', 'hooks', 'timeout', 'blocking', 'onFailure'] satisfies (keyof HookMatcher)[],
  server: ['url', 'token'] satisfies (keyof NonNullable<QueryOptions['server']>)[],
  systemPrompt: ['type', 'preset', 'append', 'snapshot'] satisfies (keyof QuerySystemPromptPreset)[],
  timeout: [
    'initialize',
    'controlRequest',
    'canUseTool',
    'mcpRequest',
    'streamClose',
  ] satisfies (keyof QueryTimeouts)[],
};

function doesNotExist(name: string, nearest: string | undefined): string {
  return `${name} does not exist${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

const AGENT_MEMBERS: readonly string[] = [
  'name',
  'description',
  'tools',
  'disallowedTools',
  'systemPrompt',
  'model',
  'level',
  'filePath',
  'color',
  'modelConfig',
  'runConfig',
  'isBuiltin',
] satisfies (keyof AgentConfig | keyof ForeignAgentMembers)[];

/** An ignored member may be a guard or a limit. */
function checkMembers(place: string, value: object, known: readonly string[]): void {
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || known.includes(name)) continue;
    const reason = Object.hasOwn(REFUSED_AGENT_MEMBERS, name) ? REFUSED_AGENT_MEMBERS[name] : undefined;
    if (reason !== undefined) throw refusal(`${place}.${name} is not supported by this version: ${reason}`);
    throw refusal(doesNotExist(`${place}.${name}`, suggestedName(name, known)));
  }
}

function checkAgents(agents: NonNullable<QueryOptions['agents']>): void {
  const names = new Set<string>();
  for (const [index, agent] of toAgentList(agents).entries()) {
    const parsed = agentConfigSchema.safeParse(agent);
    if (!parsed.success) throw refusal(describeIssue(`options.agents.${index}`, parsed.error));
    checkMembers(`options.agents.${index}`, agent, AGENT_MEMBERS);
    const { modelConfig = {}, runConfig = {} } = agent;
    checkMembers(`options.agents.${index}.modelConfig`, modelConfig, ['model', 'temp', 'topP']);
    checkMembers(`options.agents.${index}.runConfig`, runConfig, [
      'maxTimeMinutes',
      'maxTurns',
      'max_time_minutes',
      'max_turns',
    ]);
    for (const tool of parsed.data.disallowedTools ?? []) {
      if (!tool.includes('(')) continue;
      throw refusal(`options.agents.${index}.disallowedTools: ${tool} is a rule; name a tool, or use excludeTools`);
    }
    const { name } = parsed.data;
    if (name.trim() === '') throw refusal(`options.agents.${index}.name: expected some text`);
    if (names.has(name)) throw refusal(`options.agents: duplicate subagent name ${name}`);
    names.add(name);
  }
}

function checkSessionChoice(options: QueryOptions): void {
  const { resume, continue: continues, forkSession, sessionId: newId, resumeSessionAt } = options;
  if (resume !== undefined && continues === true) {
    throw refusal('options.resume and options.continue contradict each other');
  }
  const resumes = resume !== undefined || continues === true;
  if (forkSession === true && !resumes) throw refusal('options.forkSession needs resume or continue');
  if (resumeSessionAt !== undefined && !resumes) throw refusal('options.resumeSessionAt needs resume or continue');
  if (newId !== undefined && resumes && !forks(options)) {
    throw refusal('options.sessionId names a new session; with resume or continue it needs forkSession');
  }
}

/** A server finds and starts its own CLI. */
const LOCAL_ONLY = [
  'transport',
  'pathToQwenExecutable',
  'executable',
  'spawnProcess',
  'env',
  'proxy',
  'plugins',
] as const;

function checkServerChoice(options: QueryOptions): void {
  if (options.server === undefined) return;
  const local = LOCAL_ONLY.find((name) => options[name] !== undefined);
  if (local !== undefined) throw refusal(`options.server and options.${local} contradict each other`);
  for (const argument of toArgumentList(options.extraArgs)) {
    if (!isRemoteArgument(argument)) {
      throw refusal(`options.extraArgs: a server does not accept ${argument.split('=', 1)[0]}`);
    }
  }
}

/** The SDK reads the session file, and closes a transport that it created itself. */
function checkSessionStore({ sessionStore, continue: continues, server, transport }: QueryOptions): void {
  if (sessionStore === undefined) return;
  if (server !== undefined) throw refusal('options.sessionStore and options.server contradict each other');
  if (transport !== undefined) throw refusal('options.sessionStore and options.transport contradict each other');
  if (continues === true && sessionStore.listSessions === undefined) {
    throw refusal('options.continue needs sessionStore.listSessions()');
  }
}

function refusal(message: string): AgentError {
  return new AgentError('invalid_options', message);
}
