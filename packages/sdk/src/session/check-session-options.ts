import { AgentError, describeIssue } from '@qwen/protocol';
import * as z from 'zod/mini';
import { checkOptions } from '../options/check-options.js';
import type { QueryOptions } from '../options/options.js';
import { createSessionId } from '../session-id.js';
import type { HostTool } from './host-tool.js';
import type { SessionOptions } from './session-options.js';

const DEFAULT_INTERVAL_MS = 15_000;
const DEFAULT_TIMEOUT_MS = 10_000;

const filled = z.string().check(z.minLength(1, 'expected some text'));
const milliseconds = z.number().check(z.positive('expected milliseconds'));
const callback = <Function_>() => z.custom<Function_>((value) => typeof value === 'function', 'expected a function');

const ownOptionsSchema = z.strictObject({
  format: z.optional(z.enum(['message', 'chunk'])),
  sessionId: z.optional(filled),
  strictProtocol: z.optional(z.boolean()),
  heartbeat: z.optional(
    z.union([
      z.literal(false),
      z.strictObject({
        intervalMs: z.optional(milliseconds),
        timeoutMs: z.optional(milliseconds),
        restart: z.optional(z.boolean()),
      }),
    ]),
  ),
  tools: z.optional(
    z.array(
      z.object({
        name: z.string().check(z.regex(/^[\w-]{1,64}$/, 'expected letters, digits, "_" and "-"')),
        description: z.string(),
        parameters: z.record(z.string(), z.unknown()),
        run: callback<HostTool['run']>(),
      }),
    ),
  ),
});

/** Options with their defaults. */
export interface CheckedSessionOptions {
  /** The options shared with a query. */
  readonly launch: QueryOptions;
  readonly format: 'message' | 'chunk';
  readonly sessionId: string;
  readonly tools: readonly HostTool[];
  readonly heartbeat: { readonly intervalMs: number; readonly timeoutMs: number; readonly restart: boolean } | false;
  readonly strictProtocol: boolean;
}

/** Validates the options of `openSession()`. Throws `invalid_options` that names the option. */
export function checkSessionOptions(options: SessionOptions): CheckedSessionOptions {
  const { format, sessionId, tools, heartbeat, strictProtocol, ...launch } = options;
  const own = { format, sessionId, tools, heartbeat, strictProtocol };
  const parsed = ownOptionsSchema.safeParse(own);
  if (!parsed.success) throw refusal(describeIssue('options', parsed.error));
  const names = (tools ?? []).map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw refusal(`options.tools: two tools are named ${twice}`);
  for (const name of QUERY_ONLY) {
    if (name in launch) throw refusal(`options.${name} is an option of query(). Use options.sessionId instead.`);
  }
  const { intervalMs = DEFAULT_INTERVAL_MS, timeoutMs = DEFAULT_TIMEOUT_MS, restart = false } = heartbeat || {};
  if (restart && launch.transport !== undefined) {
    throw refusal('options.heartbeat.restart cannot be combined with options.transport, which serves one process only');
  }
  return {
    launch: checkOptions(launch),
    format: format ?? 'message',
    sessionId: sessionId ?? createSessionId(),
    tools: tools ?? [],
    heartbeat: heartbeat === false ? false : { intervalMs, timeoutMs, restart },
    strictProtocol: strictProtocol ?? false,
  };
}

const QUERY_ONLY = [
  'resume',
  'continue',
  'forkSession',
  'resumeSessionAt',
  'includePartialMessages',
  'includeHookEvents',
  'outputSchema',
  'outputFormat',
  'sessionStore',
  'sessionStoreFlush',
  'loadTimeoutMs',
] as const;

function refusal(message: string): AgentError {
  return new AgentError('invalid_options', message);
}
