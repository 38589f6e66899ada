import { HOOK_EVENTS, permissionModeSchema } from '@qwen/protocol';
import * as z from 'zod/mini';
import type { OnConfirm } from './confirm.js';
import type { OnElicitation } from './elicitation.js';
import type { HookCallback, QueryHooks } from './hooks/hook-options.js';
import { describesObject, type OutputSchema } from './mcp/input-schema.js';
import type { QueryOptions } from './options.js';
import type { CanUseTool } from './permissions.js';
import { splitsBack } from './transport/spawn-args.js';
import type { SpawnProcess } from './transport/spawned-process.js';
import type { Transport } from './transport/transport.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const filled = z.string().check(z.minLength(1, 'expected some text'));
const sessionId = z.string().check(z.regex(UUID, 'expected a uuid'));
const flagList = z.array(filled).check(z.refine(splitsBack, 'expected no commas outside of brackets'));
/** Infinity is a good answer here, and `z.number()` does not take it. */
const isDuration = (value: unknown): boolean => typeof value === 'number' && value >= 0;
const milliseconds = z.custom<number>(isDuration, 'expected milliseconds');
const seconds = z.custom<number>(isDuration, 'expected seconds');
const limit = z.custom<number>(isLimit, 'expected a number above 0');
const models = z.custom<string | string[]>(namesModels, 'expected a model, or three at most');
const callback = <Function_>() => z.custom<Function_>((value) => typeof value === 'function', 'expected a function');
const abortController = z.custom<AbortController>(
  (value) => typeof value === 'object' && value !== null && 'signal' in value && 'abort' in value,
  'expected an AbortController',
);
const transport = z.custom<Transport>(
  (value) => typeof value === 'object' && value !== null && 'start' in value && 'send' in value && 'close' in value,
  'expected a Transport',
);
const outputSchema = z.custom<OutputSchema>(
  describesObject,
  'expected a schema of an object: of zod 3, of zod 4 or JSON Schema',
);
const serverUrl = z.string().check(z.refine(isServerUrl, 'expected a URL of http or https without a name or password'));
const token = z.string().check(z.regex(/^[\x21-\x7e]+$/, 'expected visible ASCII'));
const hookMatchers = z.array(
  z.strictObject({
    matcher: z.optional(z.string()),
    hooks: z.array(callback<HookCallback>()),
    timeout: z.optional(seconds),
    blocking: z.optional(z.boolean()),
  }),
);
const hooks: z.ZodMiniType<QueryHooks> = z.partialRecord(z.enum(HOOK_EVENTS), z.optional(hookMatchers));

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < Infinity;
}

function isServerUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

function namesModels(value: unknown): boolean {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  return names.length > 0 && names.length <= 3 && names.every((name) => typeof name === 'string' && name !== '');
}

/** Every option by name, each with what it may be; what several options say together is checked elsewhere. */
export const optionsSchema = z.strictObject({
  pathToQwenExecutable: z.optional(filled),
  executable: z.optional(filled),
  spawnProcess: z.optional(callback<SpawnProcess>()),
  transport: z.optional(transport),
  server: z.optional(z.strictObject({ url: serverUrl, token: z.optional(token) })),
  maxLineBytes: z.optional(z.int().check(z.minimum(1))),
  cwd: z.optional(filled),
  includeDirectories: z.optional(flagList),
  additionalDirectories: z.optional(flagList),
  env: z.optional(z.record(z.string(), z.optional(z.string()))),
  model: z.optional(filled),
  fallbackModel: z.optional(models),
  effort: z.optional(filled),
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
  onElicitation: z.optional(callback<OnElicitation>()),
  onConfirm: z.optional(callback<OnConfirm>()),
  allowedTools: z.optional(flagList),
  excludeTools: z.optional(flagList),
  coreTools: z.optional(flagList),
  hooks: z.optional(hooks),
  agents: z.optional(z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])),
  mcpServers: z.optional(z.record(z.string(), z.unknown())),
  mcpReady: z.optional(z.enum(['wait', 'background'])),
  mcpStartTimeout: z.optional(limit),
  settingSources: z.optional(z.array(z.enum(['user', 'project', 'local']))),
  trustProject: z.optional(z.boolean()),
  includePartialMessages: z.optional(z.boolean()),
  includeHookEvents: z.optional(z.boolean()),
  outputSchema: z.optional(outputSchema),
  maxSessionTurns: z.optional(z.int().check(z.minimum(-1))),
  budget: z.optional(
    z.strictObject({
      wallMs: z.optional(limit),
      turns: z.optional(limit),
      toolCalls: z.optional(z.number().check(z.minimum(0))),
      tokens: z.optional(limit),
    }),
  ),
  sessionId: z.optional(sessionId),
  resume: z.optional(sessionId),
  continue: z.optional(z.boolean()),
  forkSession: z.optional(z.boolean()),
  resumeSessionAt: z.optional(filled),
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
} satisfies Record<keyof QueryOptions, z.ZodMiniType>);
