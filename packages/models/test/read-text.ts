import { NO_USAGE } from '@qwen/protocol';
import { expect } from 'vitest';
import type { ModelMessage, ModelPart, ModelRequest } from '../src/parts.js';
import { readTextParts, type TextReading } from '../src/response/read-text-parts.js';

const tools = ['read_file', 'edit', 'run_shell_command', 'mcp__a__b'].map((name) => ({
  name,
  description: '',
  inputSchema: {},
}));
const FINISH: ModelPart = { type: 'finish', reason: 'stop', usage: NO_USAGE };

interface Options extends TextReading {
  readonly messages?: readonly ModelMessage[];
  /** Parts before and after the text. */
  readonly first?: readonly ModelPart[];
  readonly more?: readonly ModelPart[];
}

/** The answer for this text, in pieces of every size, which must all give the same. */
export async function readText(text: string, { messages = [], first = [], more = [], ...reading }: Options = {}) {
  const request: ModelRequest = { model: 'm', system: '', messages, tools };
  const seen = await Promise.all(
    [1, 2, 3, 7, 50, text.length].map(async (size) => {
      async function* parts(): AsyncGenerator<ModelPart, undefined> {
        yield { type: 'start' };
        yield* first;
        for (let at = 0; at < text.length; at += size) yield { type: 'text_delta', text: text.slice(at, at + size) };
        yield* more;
        yield FINISH;
        return undefined;
      }
      const result = { text: '', thinking: '', calls: [] as unknown[] };
      for await (const part of readTextParts(parts(), request, reading)) {
        if (part.type === 'text_delta') result.text += part.text;
        if (part.type === 'thinking_delta') result.thinking += part.text;
        if (part.type === 'tool_call_end') result.calls.push([part.name, part.input ?? part.error?.code]);
      }
      return result;
    }),
  );
  for (const other of seen) expect(other).toEqual(seen[0]);
  return seen[0];
}

export const CALL = [['read_file', { file_path: 'a.txt' }]];
export const JSON_CALL = '{"name": "read_file", "arguments": {"file_path": "a.txt"}}';
