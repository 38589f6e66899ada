// Checked by the compiler, never run: how apps write options and read messages.
import { expectTypeOf } from 'vitest';
import {
  type CanUseTool,
  type PermissionMode,
  type Query,
  type QueryOptions,
  query,
  type SDKMessage,
} from './index.js';

// Values that may be missing can be passed on as they are, with `exactOptionalPropertyTypes` too.
declare const maybe: { model?: string; mode?: PermissionMode; env: NodeJS.ProcessEnv; signal?: AbortController };
const options: QueryOptions = {
  model: maybe.model,
  permissionMode: maybe.mode,
  env: maybe.env,
  abortController: maybe.signal,
};
expectTypeOf(query({ prompt: '', options })).toEqualTypeOf<Query>();

// The shape that users of the peer package write: one more parameter less, and answers with `updatedInput`.
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

/** Messages are told apart by `type`, and no member falls to `any` (B24). */
export function read(message: SDKMessage): string | undefined {
  switch (message.type) {
    case 'result':
      expectTypeOf(message.is_error).toEqualTypeOf<boolean>();
      expectTypeOf(message.result).toEqualTypeOf<string | undefined>();
      return message.result;
    case 'assistant': {
      const [block] = message.message.content;
      if (block?.type === 'tool_use') expectTypeOf(block.input).toEqualTypeOf<unknown>();
      return block?.type === 'text' ? block.text : undefined;
    }
    default:
      return undefined;
  }
}
