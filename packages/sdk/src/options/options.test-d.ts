// Checked by the compiler, never run: how apps write options and read messages.
import { spawn } from 'node:child_process';
import { expectTypeOf } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod3';
import {
  type CanUseTool,
  createPool,
  type HookJSONOutput,
  type PermissionMode,
  type Query,
  type QueryOptions,
  query,
  type SDKMessage,
  startup,
} from '../index.js';

// Values that may be missing can be passed on as they are, with `exactOptionalPropertyTypes` too.
declare const maybe: { model?: string; mode?: PermissionMode; env: NodeJS.ProcessEnv; signal?: AbortController };
const options: QueryOptions = {
  model: maybe.model,
  permissionMode: maybe.mode,
  env: maybe.env,
  abortController: maybe.signal,
};
expectTypeOf(query({ prompt: '', options })).toEqualTypeOf<Query>();

// As users of qwen-code write it: without the context, and with `updatedInput`.
const canUseTool: CanUseTool = async (toolName, input, { signal, suggestions }) => {
  expectTypeOf(toolName).toEqualTypeOf<string>();
  expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>();
  expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
  expectTypeOf(suggestions?.[0]?.type).toEqualTypeOf<'allow' | 'deny' | 'modify' | undefined>();
  return { behavior: 'allow', updatedInput: input };
};
expectTypeOf(canUseTool).toEqualTypeOf<CanUseTool>();

// @ts-expect-error -- an unknown option is a mistake
const typo: QueryOptions = { permisionMode: 'plan' };
// @ts-expect-error -- so is a mode that does not exist
const mode: QueryOptions = { permissionMode: 'auto' };
expectTypeOf([typo, mode]).toExtend<QueryOptions[]>();

/** Messages narrow by `type`, and no member is `any`. */
export function read(message: SDKMessage): string | undefined {
  switch (message.type) {
    case 'result':
      expectTypeOf(message.is_error).toEqualTypeOf<boolean>();
      // @ts-expect-error -- a subtype that does not exist is a mistake
      if (message.subtype === 'sucess') return undefined;
      if (message.subtype === 'success') expectTypeOf(message.result).toEqualTypeOf<string>();
      if (message.is_error) expectTypeOf(message.error.message).toEqualTypeOf<string>();
      expectTypeOf(message.result).toEqualTypeOf<string | undefined>();
      return message.result;
    case 'assistant': {
      const [block] = message.message.content;
      if (block?.type === 'tool_use') expectTypeOf(block.input).toEqualTypeOf<unknown>();
      return block?.type === 'text' ? block.text : undefined;
    }
    case 'system':
      // @ts-expect-error -- so is news that does not exist
      if (message.subtype === 'retries') return undefined;
      if (message.subtype === 'retry') expectTypeOf(message.data.delay_ms).toEqualTypeOf<number>();
      if (message.subtype === 'init') expectTypeOf(message.tools).toEqualTypeOf<string[]>();
      return message.subtype === 'notice' ? message.data.message : undefined;
    default:
      return undefined;
  }
}

/** What a result holds has the type of the schema; unknown without one, and for JSON Schema. */
export async function readStructured(): Promise<void> {
  const outputSchema = z.object({ city: z.string(), population: z.optional(z.number()) });
  for await (const message of query({ prompt: '', options: { outputSchema } })) {
    if (message.type === 'result') {
      expectTypeOf(message.structured_output).toEqualTypeOf<
        { city: string; population?: number | undefined } | undefined
      >();
    }
  }
  const ofZod3 = query({ prompt: '', options: { outputSchema: z3.object({ done: z3.boolean() }) } });
  expectTypeOf(ofZod3).toEqualTypeOf<Query<{ done: boolean }>>();
  expectTypeOf(query({ prompt: '', options: { outputSchema: { type: 'object' } } })).toEqualTypeOf<Query>();
  expectTypeOf((await startup({ outputSchema })).query('')).toEqualTypeOf<
    Query<{ city: string; population?: number | undefined }>
  >();
  expectTypeOf(createPool({ options: { outputSchema } }).query('')).toEqualTypeOf<
    Query<{ city: string; population?: number | undefined }>
  >();
}

/** Hooks know the input of their moment. */
export const withHooks: QueryOptions = {
  hooks: {
    PreToolUse: [
      {
        matcher: 'edit',
        hooks: [
          async (input, toolUseId, { signal }) => {
            expectTypeOf(input.hook_event_name).toEqualTypeOf<'PreToolUse'>();
            expectTypeOf(input.tool_name).toEqualTypeOf<string>();
            expectTypeOf(toolUseId).toEqualTypeOf<string | undefined>();
            expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
            return { hookSpecificOutput: { permissionDecision: 'deny' } };
          },
          () => undefined,
        ],
      },
    ],
    UserPromptSubmit: [{ hooks: [({ prompt }) => ({ reason: prompt })] }],
    // @ts-expect-error -- there is no such moment
    PreToolUses: [],
  },
};

// A callback may use the query that it belongs to, without a type annotation.
const conversation = query({
  prompt: '',
  options: {
    canUseTool: async (toolName, input) => {
      if (toolName === 'edit') await conversation.setPermissionMode('auto-edit');
      return { behavior: 'allow', updatedInput: input };
    },
    hooks: {
      Stop: [
        {
          hooks: [
            async () => {
              await conversation.interrupt();
            },
          ],
        },
      ],
    },
  },
});
expectTypeOf(conversation).toEqualTypeOf<Query>();
expectTypeOf<Query<{ done: boolean }>>().toExtend<Query>();

// As users of the Claude Agent SDK write them.
const foreign: QueryOptions = {
  maxTurns: 100,
  cwd: '/agent',
  model: 'a-model',
  fallbackModel: 'another',
  allowedTools: ['Task', 'Bash', 'Read', 'WebSearch'],
  disallowedTools: ['Write'],
  tools: { type: 'preset', preset: 'claude_code' },
  additionalDirectories: ['/more'],
  executable: 'node',
  env: { ...process.env },
  systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be brief.' },
  permissionMode: 'bypassPermissions',
  allowDangerouslySkipPermissions: true,
  settingSources: ['user', 'project', 'local'],
  outputFormat: { type: 'json_schema', schema: { type: 'object' } },
  pathToClaudeCodeExecutable: '/usr/bin/qwen',
  spawnClaudeCodeProcess: ({ command, args, env }) => spawn(command, [...args], { env, stdio: 'pipe' }),
  thinking: { type: 'enabled', budgetTokens: 1_000 },
  maxThinkingTokens: 1_000,
  strictMcpConfig: true,
  includePartialMessages: true,
  extraArgs: { debug: null, 'mcp-config': '{}' },
  mcpServers: {
    files: { type: 'stdio', command: 'npx', args: ['files'] },
    web: { type: 'http', url: 'https://x.org' },
  },
  agents: {
    reviewer: { description: 'Reviews.', prompt: 'You review.', tools: ['Read'], model: 'haiku', maxTurns: 3 },
  },
  hooks: {
    PreToolUse: [
      {
        matcher: 'Write|Edit|MultiEdit',
        hooks: [
          async (input): Promise<HookJSONOutput> => {
            const { tool_name: name } = input;
            if (name !== 'Write') return { continue: true };
            return { decision: 'block', stopReason: 'No.', continue: false };
          },
        ],
      },
    ],
  },
  canUseTool: async (_name, updatedInput, { suggestions }) => ({
    behavior: 'allow',
    updatedInput,
    updatedPermissions: suggestions,
  }),
};
expectTypeOf(query({ prompt: '', options: foreign })).toExtend<AsyncIterable<SDKMessage>>();
