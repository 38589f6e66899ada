import {
  EFFORTS,
  HOOK_EVENTS,
  isJsonObject,
  permissionModeSchema,
  SANDBOX_OPTIONS,
  TOOL_VOCABULARIES,
} from '@qwen/protocol';
import * as z from 'zod/mini';
import { describesObject } from '../mcp/input-schema.js';
import { splitsBack } from '../transport/spawn-args.js';
import type { ForeignOptions, QueryOptions } from './options.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const text = () => z.string().check(z.minLength(1, 'expected some text'));
const sessionId = () => z.string().check(z.regex(UUID, 'expected a UUID of version 1 to 5'));
const flagList = () => z.array(text()).check(z.refine(splitsBack, 'expected no commas outside of brackets'));
// Not `z.number()`, which rejects Infinity.
const milliseconds = () => z.custom(isDuration, 'expected milliseconds');
const seconds = () => z.custom(isDuration, 'expected seconds');
const limit = () => z.custom(isLimit, 'expected a number above 0');
const callback = () => z.custom((value) => typeof value === 'function', 'expected a function');

/** A plain object of an object's members. zod takes no others as records, and `process.env` is none. */
export function copied(value: unknown): unknown {
  return isJsonObject(value) ? { ...value } : value;
}

function isDuration(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}

function isLimit(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value < Infinity;
}

function isServerUrl(value: string): boolean {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

function isProxy(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && url.username === '' && url.password === '';
}

function isModelList(value: unknown): boolean {
  const names: unknown[] = Array.isArray(value) ? value : [value];
  return names.length > 0 && names.length <= 3 && names.every((name) => typeof name === 'string' && name !== '');
}

function hasMembers(value: unknown, ...names: readonly string[]): boolean {
  return typeof value === 'object' && value !== null && names.every((name) => name in value);
}

/** Created only for given options: all of them would take 3 ms. Rules about several options: check-options.ts. */
export const OPTION_SCHEMAS: Readonly<Record<Exclude<keyof QueryOptions, keyof ForeignOptions>, () => z.ZodMiniType>> =
  {
    pathToQwenExecutable: text,
    executable: text,
    spawnProcess: callback,
    transport: () => z.custom((value) => hasMembers(value, 'start', 'send', 'close'), 'expected a Transport'),
    server: () =>
      z.strictObject({
        url: z.string().check(z.refine(isServerUrl, 'expected a URL of http or https without a name or password')),
        token: z.optional(z.string().check(z.regex(/^[\x21-\x7e]+$/, 'expected visible ASCII'))),
      }),
    maxLineBytes: () => z.int().check(z.minimum(1)),
    cwd: text,
    includeDirectories: flagList,
    additionalDirectories: flagList,
    env: () => z.pipe(z.transform(copied), z.record(z.string(), z.optional(z.string()))),
    model: text,
    fallbackModel: () => z.custom(isModelList, 'expected a model, or three at most'),
    enableFileCheckpointing: z.boolean,
    effort: () => z.enum(EFFORTS),
    authType: () => z.enum(['openai', 'openai-responses', 'anthropic', 'qwen-oauth', 'gemini', 'vertex-ai']),
    systemPrompt: () =>
      z.union([
        z.string(),
        z.strictObject({
          type: z.literal('preset'),
          preset: z.enum(['qwen_code', 'claude_code']),
          append: z.optional(z.string()),
          snapshot: z.optional(z.boolean()),
        }),
      ]),
    verbatimPrompts: z.boolean,
    permissionMode: () => permissionModeSchema,
    sandbox: () =>
      z.custom(
        (value) => typeof value === 'boolean' || SANDBOX_OPTIONS.some((option) => option === value),
        'expected read-only, workspace-write, off or a boolean; other sandbox options belong in a settings file',
      ),
    canUseTool: callback,
    onElicitation: callback,
    onConfirm: callback,
    allowedTools: flagList,
    excludeTools: flagList,
    coreTools: flagList,
    allowedMcpServerNames: flagList,
    disabledSlashCommands: flagList,
    plugins: () => z.array(z.strictObject({ type: z.literal('local'), path: z.string().check(z.minLength(1)) })),
    skills: () => z.union([z.literal('all'), flagList()]),
    toolNames: () => z.enum(TOOL_VOCABULARIES),
    hooks: () =>
      z.partialRecord(
        z.enum(HOOK_EVENTS),
        z.optional(
          z.array(
            z.strictObject({
              matcher: z.optional(z.string()),
              hooks: z.array(callback()),
              timeout: z.optional(seconds()),
              blocking: z.optional(z.boolean()),
              onFailure: z.optional(z.enum(['continue', 'block'])),
            }),
          ),
        ),
      ),
    agents: () => z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]),
    mcpServers: () => z.record(z.string(), z.unknown()),
    mcpReady: () => z.enum(['wait', 'background']),
    mcpStartTimeout: limit,
    settingSources: () => z.array(z.enum(['user', 'project', 'local'])),
    trustProject: z.boolean,
    safeMode: z.boolean,
    proxy: () => z.string().check(z.refine(isProxy, 'expected the URL of a proxy, without a name and password')),
    includePartialMessages: z.boolean,
    includeHookEvents: z.boolean,
    outputSchema: () => z.custom(describesObject, 'expected a schema of an object, in zod 3, zod 4 or JSON Schema'),
    maxSessionTurns: () => z.int().check(z.refine((turns) => turns === -1 || turns > 0, 'expected at least 1, or -1')),
    maxToolCalls: () => z.int().check(z.minimum(-1)),
    maxSubagentDepth: () => z.int().check(z.minimum(1), z.maximum(100)),
    budget: () =>
      z.strictObject({
        wallMs: z.optional(limit()),
        turns: z.optional(limit()),
        toolCalls: z.optional(z.number().check(z.minimum(0))),
        tokens: z.optional(limit()),
        usd: z.optional(z.number().check(z.positive())),
      }),
    maxBudgetUsd: () => z.number().check(z.positive()),
    sessionId,
    resume: sessionId,
    continue: z.boolean,
    forkSession: z.boolean,
    resumeSessionAt: text,
    sessionStore: () => z.custom((value) => hasMembers(value, 'append', 'load'), 'expected append() and load()'),
    sessionStoreFlush: () => z.enum(['batched', 'eager']),
    loadTimeoutMs: milliseconds,
    abortController: () => z.custom((value) => hasMembers(value, 'signal', 'abort'), 'expected an AbortController'),
    timeout: () =>
      z.strictObject({
        canUseTool: z.optional(milliseconds()),
        mcpRequest: z.optional(milliseconds()),
        controlRequest: z.optional(milliseconds()),
        streamClose: z.optional(milliseconds()),
        initialize: z.optional(milliseconds()),
      }),
    stderr: callback,
    debug: z.boolean,
    logLevel: () => z.enum(['debug', 'info', 'warn', 'error']),
    extraArgs: () => z.union([z.array(text()), z.record(z.string(), z.nullable(z.string()))]),
  };
