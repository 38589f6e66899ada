import { NO_USAGE } from '@qwen/protocol';
import { describe, expect, test } from 'vitest';
import type { ModelPart, ModelRequest } from '../parts.js';
import { readTextParts } from './read-text-parts.js';

const JSON_CALL = '{"name": "read_file", "arguments": {"file_path": "a.txt"}}';

describe('thinking without an opening tag', () => {
  const request: ModelRequest = {
    model: 'm',
    system: '',
    messages: [],
    tools: [{ name: 'read_file', description: '', inputSchema: {} }],
  };

  /** What remains of each answer, in pieces of one size, with what the endpoint was seen to do before. */
  async function answers(texts: readonly string[], size: number) {
    const habits = { startsInThinking: false };
    const seen: object[] = [];
    for (const text of texts) {
      async function* parts(): AsyncGenerator<ModelPart, undefined> {
        yield { type: 'start' };
        for (let at = 0; at < text.length; at += size) yield { type: 'text_delta', text: text.slice(at, at + size) };
        yield { type: 'finish', reason: 'stop', usage: NO_USAGE };
        return undefined;
      }
      let [shown, thinking, restarts] = ['', '', 0];
      const calls: string[] = [];
      for await (const part of readTextParts(parts(), request, { habits })) {
        if (part.type === 'retry') [shown, thinking, restarts] = ['', '', restarts + 1];
        if (part.type === 'text_delta') shown += part.text;
        if (part.type === 'thinking_delta') thinking += part.text;
        if (part.type === 'tool_call_end') calls.push(part.name);
      }
      seen.push({ shown, thinking: thinking.trim(), restarts, calls });
    }
    return seen;
  }

  test.each([1, 3, 1_000])('the answer restarts once, then the endpoint is known (%i)', async (size) => {
    const texts = ['I think.\n</think>\n\nDone.', 'Again.\n</think>\n\nTwo.', 'No reasoning.', 'Plain.'];
    expect(await answers(texts, size)).toEqual([
      { shown: 'Done.', thinking: 'I think.', restarts: size < 1_000 ? 1 : 0, calls: [] },
      { shown: 'Two.', thinking: 'Again.', restarts: 0, calls: [] },
      { shown: 'No reasoning.', thinking: '', restarts: 1, calls: [] },
      { shown: 'Plain.', thinking: '', restarts: 0, calls: [] },
    ]);
  });

  test.each([1, 1_000])('a call in it does not run, a call after it does (%i)', async (size) => {
    const text = `I could.\n<tool_call>${JSON_CALL}</tool_call>\n</think>\n\nNow.\n<tool_call>${JSON_CALL}</tool_call>`;
    const [first] = await answers([text], size);
    expect(first).toMatchObject({ shown: 'Now.\n', calls: ['read_file'] });
  });

  test.each([
    'Close it with `</think>` please.',
    'The tag </think> ends it.',
    'Like this:\n```\n</think>\n```\nDone.',
    'The pair <think> and\n</think>\nis text.',
  ])('%j is text', async (text) => {
    expect(await answers([text], 1)).toEqual([{ shown: text, thinking: '', restarts: 0, calls: [] }]);
  });
});
