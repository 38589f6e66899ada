import { AgentError, describeIssue, permissionModeSchema } from '@qwen/protocol';
import * as z from 'zod/mini';
import { checkMcpServers } from './check-mcp-servers.js';
import { nearestName } from './nearest-name.js';
import type { CanUseTool, QueryOptions } from './options.js';
import { reservedFlagOf, splitsBack } from './transport/spawn-args.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const filled = z.string().check(z.minLength(1, 'expected some text'));
const sessionId = z.string().check(z.regex(UUID, 'expected a uuid'));
const flagList = z.array(filled).check(z.refine(splitsBack, 'expected no commas outside of brackets'));
/** Infinity is a good answer here, and `z.number()` does not take it. */
const milliseconds = z.custom<number>((value) => typeof value === 'number' && value >= 0, 'expected milliseconds');
const callback = <Function_>() => z.custom<Function_>((value) => typeof value === 'function', 'expected a function');
const abortController = z.custom<AbortController>(
  (value) => typeof value === 'object' && value !== null && 'signal' in value && 'abort' in value,
  'expected an AbortController',
);

const optionsSchema = z.strictObject({
  pathToQwenExecutable: z.optional(filled),
  cwd: z.optional(filled),
  includeDirectories: z.optional(flagList),
  env: z.optional(z.record(z.string(), z.optional(z.string()))),
  model: z.optional(filled),
  authType: z.optional(z.enum(['openai', 'openai-responses', 'anthropic', 'qwen-oauth', 'gemini', 'vertex-ai'])),
  systemPrompt: z.optional(
    z.union([
      z.string(),
      z.strictObject({
        type: z.literal('preset'),
        preset: z.literal('qwen_code'),
        append: z.optional(z.string()),
      }),
    ]),
  ),
  permissionMode: z.optional(permissionModeSchema),
  canUseTool: z.optional(callback<CanUseTool>()),
  allowedTools: z.optional(flagList),
  excludeTools: z.optional(flagList),
  coreTools: z.optional(flagList),
  mcpServers: z.optional(z.record(z.string(), z.unknown())),
  includePartialMessages: z.optional(z.boolean()),
  maxSessionTurns: z.optional(z.int().check(z.minimum(-1))),
  sessionId: z.optional(sessionId),
  resume: z.optional(sessionId),
  continue: z.optional(z.boolean()),
  forkSession: z.optional(z.boolean()),
  abortController: z.optional(abortController),
  timeout: z.optional(
    z.strictObject({
      canUseTool: z.optional(milliseconds),
      mcpRequest: z.optional(milliseconds),
      controlRequest: z.optional(milliseconds),
      streamClose: z.optional(milliseconds),
      initialize: z.optional(milliseconds),
    }),
  ),
  stderr: z.optional(callback<(line: string) => void>()),
  debug: z.optional(z.boolean()),
  extraArgs: z.optional(z.array(filled)),
  agents: z.optional(z.unknown()),
  hooks: z.optional(z.unknown()),
});

const OPTION_NAMES = Object.keys(optionsSchema.shape);

/**
 * Options that users of the peer package know and that this version does not have. They are refused, because a
 * guard, a limit or a hook that silently does nothing is worse than an error.
 */
const LATER_OPTIONS: ReadonlySet<string> = new Set([
  'agents',
  'hooks',
  'effort',
  'maxToolCalls',
  'maxSubagentDepth',
  'extensions',
  'allowedMcpServerNames',
  'fallbackModel',
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
  checkSessionChoice(options);
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
  const nearest = issue.path.length === 0 ? nearestName(unknown, OPTION_NAMES) : undefined;
  const name = ['options', ...issue.path.map(String), unknown].join('.');
  return `${name} does not exist${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

function checkSessionChoice({ resume, continue: goesOn, forkSession, sessionId: newId }: QueryOptions): void {
  if (resume !== undefined && goesOn === true) {
    throw refusal('options.resume and options.continue contradict each other');
  }
  const old = resume !== undefined || goesOn === true;
  if (forkSession === true && !old) throw refusal('options.forkSession needs resume or continue');
  if (newId !== undefined && old && forkSession !== true) {
    throw refusal('options.sessionId names a new session; with resume or continue it needs forkSession');
  }
}

function refusal(message: string): AgentError {
  return new AgentError('invalid_options', message);
}
