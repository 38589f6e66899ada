import type { ContentBlock, ContentDelta, SDKMessage, StreamEvent } from '@qwen/protocol';
import { isIncrementType, type PublicEventBody } from '@qwen/protocol/server';
import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TurnEnd } from './turn-ending.js';
import { TurnProjection } from './turn-projection.js';

const ids = { uuid: 'u', session_id: 's' };
const success: TurnEnd = { outcome: 'success', durationMs: 1 };

function piece(event: StreamEvent, messageId: string, parent: string | null = null): SDKMessage {
  return { type: 'stream_event', ...ids, message_id: messageId, parent_tool_use_id: parent, event };
}

function whole(id: string, content: ContentBlock[], parent: string | null = null): SDKMessage {
  const usage = { input_tokens: 3, output_tokens: 5 };
  return {
    type: 'assistant',
    ...ids,
    parent_tool_use_id: parent,
    message: { id, role: 'assistant', model: 'scripted', content, stop_reason: 'end_turn', usage },
  };
}

function start(id: string, parent: string | null = null): SDKMessage {
  return piece({ type: 'message_start', message: { id, role: 'assistant', model: 'scripted' } }, id, parent);
}

function textDelta(id: string, text: string, index = 0): SDKMessage {
  return piece({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }, id);
}

function project(messages: readonly SDKMessage[], end: TurnEnd = success, hasIncrements = true): PublicEventBody[] {
  const projection = new TurnProjection({ turnId: 'turn_1', requestId: 'req_1', threadId: 'thrd_1', hasIncrements });
  return [...messages.flatMap((message) => projection.accept(message)), ...projection.end(end)];
}

const types = (bodies: readonly PublicEventBody[]) => bodies.map(({ type }) => type);

/** The blocks of each message as its fragments say them. */
function join(bodies: readonly PublicEventBody[], messageId: string): Map<number, string> {
  const blocks = new Map<number, string>();
  for (const body of bodies) {
    if (body.type === 'agent.content_block_start' && body.message_id === messageId) blocks.set(body.index, '');
    if (body.type !== 'agent.content_block_delta' || body.message_id !== messageId) continue;
    const { delta } = body;
    const said = delta.type === 'text_delta' ? delta.text : delta.type === 'thinking_delta' ? delta.thinking : '';
    const json = delta.type === 'input_json_delta' ? delta.partial_json : '';
    blocks.set(body.index, `${blocks.get(body.index) ?? '?'}${said}${json}`);
  }
  return blocks;
}

test('one answer has the documented order, names and members', () => {
  verifies('R-23', 'R-26', 'R-28', 'R-30', 'R-35', 'R-36', 'R-39', 'R-40', 'GAP-92');
  const bodies = project([
    start('m-1'),
    piece({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'm-1'),
    textDelta('m-1', 'Hel'),
    textDelta('m-1', 'lo'),
    piece({ type: 'content_block_stop', index: 0 }, 'm-1'),
    whole('m-1', [{ type: 'text', text: 'Hello' }]),
    piece({ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, 'm-1'),
    piece({ type: 'message_stop' }, 'm-1'),
  ]);
  const place = {
    session_thread_id: 'thrd_1',
    turn_id: 'turn_1',
    parent_tool_use_id: null,
    message_id: 'asst_m1',
  };
  expect(bodies.slice(0, 8)).toEqual([
    {
      ...place,
      type: 'agent.message_start',
      message: {
        id: 'asst_m1',
        type: 'message',
        role: 'assistant',
        model: 'scripted',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    },
    { ...place, type: 'agent.content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { ...place, type: 'agent.content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
    { ...place, type: 'agent.content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
    { ...place, type: 'agent.content_block_stop', index: 0 },
    {
      ...place,
      type: 'agent.message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null, container: null },
      usage: { input_tokens: 3, output_tokens: 5 },
    },
    { ...place, type: 'agent.message_stop' },
    {
      ...place,
      type: 'agent.message',
      model: 'scripted',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 5 },
    },
  ]);
  expect(types(bodies.slice(8))).toEqual(['turn.ended', 'session.status_idle']);
  expect(bodies[8]).toMatchObject({ outcome: 'success', result: 'Hello', request_id: 'req_1' });
});

test('a missing end of a text is sent as one more delta before the block stops', () => {
  verifies('R-41', 'R-42');
  const bodies = project([
    start('m'),
    piece({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'm'),
    textDelta('m', 'Hello, wo'),
    piece({ type: 'content_block_stop', index: 0 }, 'm'),
    whole('m', [{ type: 'text', text: 'Hello, world' }]),
  ]);
  expect(types(bodies).slice(1, 6)).toEqual([
    'agent.content_block_start',
    'agent.content_block_delta',
    'agent.content_block_delta',
    'agent.content_block_stop',
    'agent.message_delta',
  ]);
  expect(bodies[3]).toMatchObject({ delta: { type: 'text_delta', text: 'rld' } });
});

test('a complete text overrides its increments, and nothing is sent twice', () => {
  verifies('R-40', 'GAP-94');
  const bodies = project([
    start('m'),
    piece({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'm'),
    textDelta('m', 'One'),
    piece({ type: 'content_block_stop', index: 0 }, 'm'),
    whole('m', [{ type: 'text', text: 'Two' }]),
  ]);
  expect(join(bodies, 'asst_m')).toEqual(new Map([[0, 'One']]));
  expect(bodies.find(({ type }) => type === 'agent.message')).toMatchObject({ content: [{ text: 'Two' }] });
});

test('thinking and calls start with empty blocks, keep their index, and are repeated as complete events', () => {
  verifies('R-27', 'R-29', 'R-31', 'R-32', 'R-33', 'R-43', 'GAP-91', 'GAP-93', 'GAP-99');
  const content: ContentBlock[] = [
    { type: 'thinking', thinking: 'hmm', signature: 'proof' },
    { type: 'tool_use', id: 'call_1', name: 'read', input: { path: 'a' } },
  ];
  const bodies = project([
    start('m'),
    piece({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } }, 'm'),
    piece({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hmm' } }, 'm'),
    piece({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'proof' } }, 'm'),
    piece({ type: 'content_block_stop', index: 0 }, 'm'),
    piece(
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'call_1', name: 'read', input: {} },
      },
      'm',
    ),
    piece({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"pa' } }, 'm'),
    piece(
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: 'th":"a"}' } },
      'm',
    ),
    piece({ type: 'content_block_stop', index: 1 }, 'm'),
    whole('m', content),
    {
      type: 'user',
      ...ids,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'text of a' }] },
    },
  ]);
  const starts = bodies.filter((body) => body.type === 'agent.content_block_start');
  expect(starts.map(({ content_block }) => content_block)).toEqual([
    { type: 'thinking', thinking: '' },
    { type: 'tool_use', id: 'call_1', name: 'read', input: {} },
  ]);
  expect(join(bodies, 'asst_m')).toEqual(
    new Map([
      [0, 'hmm'],
      [1, '{"path":"a"}'],
    ]),
  );
  expect(types(bodies).filter((type) => !isIncrementType(type))).toEqual([
    'agent.thinking',
    'agent.message',
    'agent.tool_use',
    'agent.tool_result',
    'turn.ended',
    'session.status_idle',
  ]);
  expect(bodies.find(({ type }) => type === 'agent.message')).toMatchObject({ content });
  expect(bodies.find(({ type }) => type === 'agent.tool_result')).toMatchObject({
    tool_use_id: 'call_1',
    content: 'text of a',
    is_error: false,
  });
});

test('a turn cancelled during an answer closes its blocks and contains the partial answer', () => {
  verifies('GAP-98');
  const bodies = project(
    [
      start('m'),
      piece({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, 'm'),
      textDelta('m', 'half a sen'),
    ],
    { outcome: 'cancelled', durationMs: 1 },
  );
  expect(types(bodies).slice(3)).toEqual([
    'agent.content_block_stop',
    'agent.message_delta',
    'agent.message_stop',
    'agent.message',
    'turn.ended',
    'session.status_idle',
  ]);
  expect(bodies[4]).toMatchObject({ delta: { stop_reason: 'interrupted' } });
  expect(bodies[6]).toMatchObject({ content: [{ type: 'text', text: 'half a sen' }], stop_reason: 'interrupted' });
});

test('a failure is a session error, an answer without the model an ordinary message', () => {
  verifies('GAP-87');
  const error = { code: 'provider_error', message: 'down', retryable: true };
  expect(project([], { outcome: 'error', durationMs: 1, error })).toMatchObject([
    { type: 'session.error', error },
    { type: 'turn.ended', outcome: 'error', error },
    { type: 'session.status_idle' },
  ]);
  const said = project([], { ...success, result: 'the help text' });
  expect(join(said, 'asst_1')).toEqual(new Map([[0, 'the help text']]));
  expect(said.find(({ type }) => type === 'agent.message')).toMatchObject({ content: [{ text: 'the help text' }] });
});

test('a subagent has a separate thread, and its events name the call', () => {
  verifies('GAP-97');
  const bodies = project([whole('m', [{ type: 'text', text: 'from below' }], 'call_9')]);
  const below = bodies.filter((body) => body.parent_tool_use_id === 'call_9');
  expect(types(below)).toContain('agent.message');
  expect(new Set(below.map((body) => body.session_thread_id)).size).toBe(1);
  expect(below[0]?.session_thread_id).toMatch(/^thrd_[\da-f]{32}$/);
  expect(bodies.at(-1)).toMatchObject({ type: 'session.status_idle', session_thread_id: 'thrd_1' });
  // Its words are no reply of the main agent.
  expect(bodies.find(({ type }) => type === 'turn.ended')).not.toHaveProperty('result');
});

test('reports files and warnings of references, and other events', () => {
  verifies('Q-90', 'Q-91');
  const system = (code: string, data: { readonly message: string; readonly files?: object }): SDKMessage => ({
    type: 'system',
    subtype: 'notice',
    ...ids,
    data: { code, parent_tool_use_id: null, ...data },
  });
  expect(
    project([
      {
        type: 'system',
        subtype: 'init',
        ...ids,
        cwd: '/',
        tools: [],
        mcp_servers: [],
        model: 'm',
        permission_mode: 'default',
        slash_commands: [],
        agents: [],
        qwen_code_version: '1.0.0',
      },
      system('file_references', { message: 'one file', files: [{ path: 'a.md', size: 3 }] }),
      system('reference_warning', { message: 'File not found' }),
      {
        type: 'system',
        subtype: 'retry',
        ...ids,
        data: { attempt: 2, delay_ms: 5, code: 'rate_limited', message: 'again' },
      },
    ]).slice(0, -2),
  ).toMatchObject([
    { type: 'file_references', files: [{ path: 'a.md', size: 3 }] },
    { type: 'warning', message: 'File not found' },
    { type: 'notice', code: 'rate_limited', message: 'again', data: { attempt: 2, delay_ms: 5 } },
  ]);
});

describe('handles any omission by an agent', () => {
  const blocks = fc.array(
    fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: fc.string({ maxLength: 12 }) }),
      fc.record({ type: fc.constant('thinking' as const), thinking: fc.string({ maxLength: 12 }) }),
      fc.record({
        type: fc.constant('tool_use' as const),
        id: fc.constant('call_1'),
        name: fc.constant('read'),
        input: fc.dictionary(fc.string({ maxLength: 3 }), fc.string({ maxLength: 3 }), { maxKeys: 2 }),
      }),
    ),
    { maxLength: 4 },
  );
  function textOf(block: ContentBlock): string {
    if (block.type === 'text') return block.text;
    if (block.type === 'thinking') return block.thinking;
    const json = block.type === 'tool_use' ? JSON.stringify(block.input) : '';
    return json === '{}' ? '' : json;
  }

  function deltaOf(block: ContentBlock, text: string): ContentDelta {
    if (block.type === 'text') return { type: 'text_delta', text };
    return block.type === 'thinking'
      ? { type: 'thinking_delta', thinking: text }
      : { type: 'input_json_delta', partial_json: text };
  }

  /** The answer in pieces, with tails, stops and whole blocks missing. */
  function pieces(content: readonly ContentBlock[], losses: readonly number[]): SDKMessage[] {
    return content.flatMap((block, index): SDKMessage[] => {
      const loss = losses[index] ?? 0;
      // Only the end of an answer may be missing.
      if (content.slice(0, index).some((_, before) => (losses[before] ?? 0) > 0)) return [];
      if (loss >= 3) return [];
      const text = textOf(block).slice(0, loss > 0 ? -loss : undefined);
      const delta = deltaOf(block, text);
      return [
        piece({ type: 'content_block_start', index, content_block: emptied(block) }, 'm'),
        ...(text === '' ? [] : [piece({ type: 'content_block_delta', index, delta }, 'm')]),
        ...(loss === 2 ? [] : [piece({ type: 'content_block_stop', index }, 'm')]),
      ];
    });
  }

  function emptied(block: ContentBlock): ContentBlock {
    if (block.type === 'text') return { ...block, text: '' };
    if (block.type === 'thinking') return { ...block, thinking: '' };
    return block.type === 'tool_use' ? { ...block, input: {} } : block;
  }

  test('the deltas of each block join to its text, and every open block is closed once', () => {
    verifies('R-25', 'R-33', 'R-41', 'R-42');
    fc.assert(
      fc.property(blocks, fc.array(fc.nat(3), { maxLength: 4 }), fc.boolean(), (content, losses, hasWhole) => {
        const streamed = [start('m'), ...pieces(content, losses)];
        const bodies = project(hasWhole ? [...streamed, whole('m', content)] : streamed);
        const message = bodies.find((body) => body.type === 'agent.message');
        const joined = join(bodies, 'asst_m');
        for (const [index, block] of (message?.content ?? []).entries()) {
          const said = joined.get(index) ?? 'missing';
          if (hasWhole || block.type !== 'tool_use') expect(said).toBe(textOf(block));
        }
        if (hasWhole) expect(message?.content).toEqual(content);
        const opened = bodies.filter(({ type }) => type === 'agent.content_block_start').length;
        expect(bodies.filter(({ type }) => type === 'agent.content_block_stop')).toHaveLength(opened);
        const order = types(bodies);
        expect(order.filter((type) => type === 'agent.message_stop')).toHaveLength(1);
        expect(order.indexOf('agent.message')).toBeGreaterThan(order.indexOf('agent.message_stop'));
        expect(order.lastIndexOf('agent.content_block_stop')).toBeLessThan(order.indexOf('agent.message_delta'));
      }),
      { numRuns: 500 },
    );
  });

  test('without increments the complete events are the same', () => {
    verifies('R-53', 'R-54');
    fc.assert(
      fc.property(blocks, (content) => {
        const messages = [start('m'), ...pieces(content, []), whole('m', content)];
        const complete = project(messages, success, false);
        expect(complete).toEqual(project(messages).filter(({ type }) => !isIncrementType(type)));
        expect(complete.some(({ type }) => isIncrementType(type))).toBe(false);
      }),
    );
  });
});
