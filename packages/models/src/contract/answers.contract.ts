import { createModel, type ModelRequest } from '@qwen/models';
import { calls, says, startByteServer, startScriptedModel, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, partsOf, QUESTION, textOf } from '../../test/collect.js';
import { eventsOf, type FamilyUnderTest } from '../../test/families.js';

const LOOKUP = {
  name: 'lookup',
  description: 'Looks a word up.',
  inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

export function describeAnswers(family: FamilyUnderTest): void {
  describe('answers', () => {
    const answerTo = async (payloads: readonly string[]) => {
      await using server = await startByteServer([{ chunks: [eventsOf(payloads)] }]);
      return await collect(await createModel(family.configFor(server.url)), QUESTION);
    };

    test('text arrives as deltas between start and finish', async () => {
      await using scripted = await startScriptedModel([says('A sentence that is longer than one piece.')]);
      const parts = await collect(await createModel(family.configFor(scripted.mock.url)), QUESTION);
      expect(parts[0]).toMatchObject({ type: 'start' });
      expect(partsOf(parts, 'text_delta').length).toBeGreaterThan(1);
      expect(textOf(parts)).toBe('A sentence that is longer than one piece.');
      expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
      expect(parts.filter((part) => part.type === 'start' || part.type === 'finish')).toHaveLength(2);
    });

    test('thinking is separate from text', async () => {
      await using scripted = await startScriptedModel([{ content: 'Four.', reasoning: 'Two and two make four.' }]);
      const parts = await collect(await createModel(family.configFor(scripted.mock.url)), QUESTION);
      expect(
        partsOf(parts, 'thinking_delta')
          .map((part) => part.text)
          .join(''),
      ).toBe('Two and two make four.');
      expect(textOf(parts)).toBe('Four.');
    });

    test('a tool call has a start, deltas, and an end with its input', async () => {
      const input = { word: 'a word that is longer than one piece' };
      await using scripted = await startScriptedModel([calls({ name: 'lookup', input })]);
      const parts = await collect(await createModel(family.configFor(scripted.mock.url)), {
        ...QUESTION,
        tools: [LOOKUP],
      });
      const [start] = partsOf(parts, 'tool_call_start');
      const pieces = partsOf(parts, 'tool_call_delta');
      expect(start).toMatchObject({ name: 'lookup' });
      expect(pieces.every((piece) => piece.id === start?.id)).toBe(true);
      expect(JSON.parse(pieces.map((piece) => piece.json).join(''))).toEqual(input);
      expect(partsOf(parts, 'tool_call_end')).toEqual([
        { type: 'tool_call_end', id: start?.id, name: 'lookup', input },
      ]);
      expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' });
    });

    test('parallel calls end in order with distinct ids', async () => {
      verifies('F76');
      const parts = await answerTo([
        family.call({ id: 'same', name: 'lookup', json: '{"word":"a"}' }, 0),
        family.call({ id: 'same', name: 'lookup', json: '{"word":"b"}' }, 1),
        family.call({ id: '', name: 'lookup', json: '{"word":"c"}' }, 2),
        ...family.finish(family.reasons.stop),
      ]);
      const ends = partsOf(parts, 'tool_call_end');
      expect(ends.map((end) => end.input)).toEqual([{ word: 'a' }, { word: 'b' }, { word: 'c' }]);
      expect(ends[0]?.id).toBe('same');
      expect(new Set(ends.map((end) => end.id)).size).toBe(3);
      expect(ends.every((end) => end.id !== '')).toBe(true);
      expect(parts.at(-1)).toMatchObject({ reason: 'tool_calls' });
    });

    test('a call without a name or with non-object arguments ends with an error', async () => {
      verifies('F76');
      const parts = await answerTo([
        family.call({ id: 'a', name: 'lookup', json: '["word"]' }, 0),
        family.call({ id: 'b', name: '', json: '{}' }, 1),
        ...family.finish(family.reasons.stop),
      ]);
      const [list, nameless] = partsOf(parts, 'tool_call_end');
      expect(list?.error?.code).toBe('invalid_tool_input');
      expect(nameless?.error?.code).toBe('unknown_tool');
      expect(list).not.toHaveProperty('input');
      expect(nameless).not.toHaveProperty('input');
    });

    test('usage includes cached tokens', async () => {
      const counts = { input: 100, output: 20, cached: 64 };
      const parts = await answerTo([family.text('x'), ...family.finish(family.reasons.stop, counts)]);
      expect(parts.at(-1)).toEqual({
        type: 'finish',
        reason: 'stop',
        usage: { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 64, total_tokens: 120 },
      });
    });

    test('finish reasons are mapped, and unknown ones kept', async () => {
      verifies('F78');
      const endOf = async (reason: string) => (await answerTo([family.text('x'), ...family.finish(reason)])).at(-1);
      expect(await endOf(family.reasons.length)).toMatchObject({ type: 'finish', reason: 'length' });
      expect(await endOf(family.reasons.filtered)).toMatchObject({ type: 'finish', reason: 'content_filter' });
      expect(await endOf('bored')).toMatchObject({ type: 'finish', reason: 'other', rawReason: 'bored' });
    });

    test('an empty response and one of only thinking succeed', async () => {
      verifies('F78');
      const empty = await answerTo([family.emptyPayload, ...family.finish(family.reasons.stop)]);
      expect(empty.map((part) => part.type)).toEqual(['start', 'finish']);
      const thinking = await answerTo([family.thinking('Hm.'), ...family.finish(family.reasons.stop)]);
      expect(thinking.map((part) => part.type)).toEqual(['start', 'thinking_delta', 'finish']);
    });

    test('the next request extends the bytes of this one', async () => {
      await using server = await startByteServer([{ chunks: [eventsOf(family.finish(family.reasons.stop))] }]);
      const model = await createModel(family.configFor(server.url));
      const first: ModelRequest = { ...QUESTION, tools: [LOOKUP] };
      await collect(model, first);
      await collect(model, { ...first, messages: [...first.messages, ...ONE_TOOL_TURN] });
      const [before, after] = server.requests.map((request) => JSON.parse(request.body) as Record<string, unknown>);
      const listName = ['messages', 'contents', 'input'].find((name) => before?.[name] !== undefined) ?? '';
      const [shorter, longer] = [before, after].map((body) => body?.[listName] as unknown[]);
      expect(JSON.stringify(longer?.slice(0, shorter?.length))).toBe(JSON.stringify(shorter));
      expect(longer?.length).toBeGreaterThan(shorter?.length ?? 0);
      expect(JSON.stringify({ ...after, [listName]: 0 })).toBe(JSON.stringify({ ...before, [listName]: 0 }));
    });
  });
}

const ONE_TOOL_TURN: ModelRequest['messages'] = [
  { role: 'assistant', content: [{ type: 'tool_call', id: 'call_1', name: 'lookup', input: { word: 'a' } }] },
  {
    role: 'tool',
    results: [{ callId: 'call_1', name: 'lookup', content: [{ type: 'text', text: 'first letter' }], isError: false }],
  },
];
