import { AgentError, describeIssue, HOOK_EVENTS, nearestName } from '@qwen/protocol';
import { isRemoteArgument } from '@qwen/protocol/server';
import type * as z from 'zod/mini';
import { checkAgents } from './check-agents.js';
import { checkMcpServers } from './check-mcp-servers.js';
import type { QueryOptions } from './options.js';
import { optionsSchema } from './options-schema.js';
import { forks, reservedFlagOf } from './transport/spawn-args.js';

const OPTION_NAMES = Object.keys(optionsSchema.shape);

/**
 * Options that users of the peer package know and that this version does not have. They are refused, because a
 * guard or a limit that silently does nothing is worse than an error.
 */
const LATER_OPTIONS: ReadonlySet<string> = new Set([
  'maxToolCalls',
  'maxSubagentDepth',
  'extensions',
  'allowedMcpServerNames',
  'proxy',
  'sandbox',
  'safeMode',
  'insecure',
  'worktree',
  'disabledSlashCommands',
  'logLevel',
]);

/**
 * Checks what an app gave to `query()`. Throws `invalid_options` that names the option at fault; for an unknown one
 * also the nearest name that exists.
 */
export function checkOptions(options: QueryOptions): QueryOptions {
  refuseLaterOptions(options);
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) throw refusal(describe(parsed.error));
  checkMcpServers(options.mcpServers ?? {});
  if (options.agents !== undefined) checkAgents(options.agents);
  checkSessionChoice(options);
  checkServerChoice(options);
  for (const argument of options.extraArgs ?? []) {
    const reserved = reservedFlagOf(argument);
    if (reserved !== undefined) throw refusal(`options.extraArgs: ${reserved} is set by an option of its own`);
  }
  // A copy, so that an app that changes its object later does not change a running query.
  return { ...options };
}

function refuseLaterOptions(options: QueryOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && LATER_OPTIONS.has(name)) {
      throw refusal(`options.${name} is not supported by this version`);
    }
  }
}

function describe(error: z.core.$ZodError): string {
  const issue = error.issues[0];
  if (issue?.code !== 'unrecognized_keys') return describeIssue('options', error);
  const unknown = issue.keys[0] ?? '';
  const nearest = nearestName(unknown, namesAt(issue.path));
  const name = ['options', ...issue.path.map(String), unknown].join('.');
  return `${name} does not exist${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

function namesAt(path: readonly PropertyKey[]): readonly string[] {
  if (path.length === 0) return OPTION_NAMES;
  return path.length === 1 && path[0] === 'hooks' ? HOOK_EVENTS : [];
}

function checkSessionChoice(options: QueryOptions): void {
  const { resume, continue: goesOn, forkSession, sessionId: newId, resumeSessionAt } = options;
  if (resume !== undefined && goesOn === true) {
    throw refusal('options.resume and options.continue contradict each other');
  }
  const old = resume !== undefined || goesOn === true;
  if (forkSession === true && !old) throw refusal('options.forkSession needs resume or continue');
  if (resumeSessionAt !== undefined && !old) throw refusal('options.resumeSessionAt needs resume or continue');
  if (newId !== undefined && old && !forks(options)) {
    throw refusal('options.sessionId names a new session; with resume or continue it needs forkSession');
  }
}

/** A server finds and starts its CLI by itself, with an environment of its own. */
const LOCAL_ONLY = ['transport', 'pathToQwenExecutable', 'executable', 'spawnProcess', 'env'] as const;

function checkServerChoice(options: QueryOptions): void {
  if (options.server === undefined) return;
  const local = LOCAL_ONLY.find((name) => options[name] !== undefined);
  if (local !== undefined) throw refusal(`options.server and options.${local} contradict each other`);
  for (const argument of options.extraArgs ?? []) {
    if (!isRemoteArgument(argument)) throw refusal(`options.extraArgs: a server takes no ${argument.split('=', 1)[0]}`);
  }
}

function refusal(message: string): AgentError {
  return new AgentError('invalid_options', message);
}
