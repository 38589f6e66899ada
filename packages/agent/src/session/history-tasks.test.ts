import type { ModelMessage, ModelRequest } from '@qwen/models';
import { AgentError, type SessionRecord } from '@qwen/protocol';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { newSession } from '../../test/records.js';
import {
  aborted,
  call,
  createTestSession,
  hanging,
  ofType,
  outcomes,
  readUntil,
  runAll,
  type ScriptedAnswer,
  START,
  saying,
  type TestSession,
  text,
  tool,
} from '../../test/scripted-engine.js';
import { ScriptedHooks } from '../../test/scripted-hooks.js';
import { foldRecords } from '../conversation/model-history.js';
import { createFileStore } from '../storage/file-store.js';
import { SessionHistory } from './session-history.js';

/** The words of a conversation, one line a message. */
const words = (messages: readonly ModelMessage[] = []): string[] =>
  messages.map((message) => {
    const parts = message.role === 'tool' ? message.results.flatMap(({ content }) => content) : message.content;
    return parts.map((part) => (part.type === 'text' ? part.text : part.type)).join('|');
  });

const lastRequest = (requests: readonly ModelRequest[]) => words(requests.at(-1)?.messages);

/** Reads the session to its end in the background, as a program does. */
function read({ session }: TestSession): ReturnType<typeof runAll> {
  return runAll(session);
}

/** An answer that hangs until it is aborted, and says when it was asked for. */
function hangingOnce(asked: { resolve(): void }): ScriptedAnswer {
  return async function* hang(_request, signal) {
    asked.resolve();
    yield START;
    await aborted(signal);
  };
}

const LONG = 'a long story '.repeat(300);

describe('clear', () => {
  test('the next prompt starts a new conversation, and a resume sees the same', async () => {
    verifies('E-28');
    const fixture = createTestSession([saying('one'), saying('two')]);
    const { session, model, log } = fixture;
    session.submit({ uuid: '1', content: 'first' });
    const cleared = session.clear();
    session.submit({ uuid: '2', content: 'second' });
    const events = await read(fixture);
    await cleared;
    expect(lastRequest(model.requests)).toEqual(['second']);
    expect(words(session.messages)).toEqual(['second', 'two']);
    expect(words(foldRecords(log.records))).toEqual(['second', 'two']);
    const types = events.map(({ type }) => type).filter((type) => /^turn|^history/.test(type));
    expect(types).toEqual(['turn_start', 'turn_end', 'history_changed', 'turn_start', 'turn_end']);
    expect(ofType(events, 'history_changed')).toEqual([{ type: 'history_changed', reason: 'cleared', messages: 0 }]);
  });

  test('it waits for the running turn, not for later prompts', async () => {
    const fixture = createTestSession([hanging(START, text('half')), saying('two')]);
    const { session } = fixture;
    session.submit({ uuid: '1', content: 'first' });
    const events = session.events();
    await readUntil(events, 'block_delta');
    const cleared = session.clear();
    expect(session.messages).toHaveLength(1);
    session.interrupt({ by: 'user', reason: 'stop' });
    await readUntil(events, 'history_changed');
    const next = events.next();
    await cleared;
    expect(session.messages).toEqual([]);
    session.endInput();
    expect((await next).done).toBe(true);
  });

  test('start hooks add their context again, and an interrupted turn cannot be continued', async () => {
    verifies('GAP-49');
    const hooks = new ScriptedHooks({ SessionStart: ({ source }) => ({ additionalContext: `began by ${source}` }) });
    const fixture = createTestSession([saying('one'), [START, { type: 'failure', error: lost }], saying('two')], {
      hooks,
    });
    const { session, model } = fixture;
    session.submit({ uuid: '1', content: 'first' });
    session.submit({ uuid: '2', content: 'second' });
    const cleared = session.clear();
    session.submit({ uuid: '3', content: 'third' });
    await read(fixture);
    await cleared;
    const began = (source: string) => `<hook-context from="SessionStart">\nbegan by ${source}\n</hook-context>`;
    expect(words(model.requests[0]?.messages)).toEqual([`first|${began('startup')}`]);
    expect(lastRequest(model.requests)).toEqual([`third|${began('clear')}`]);
  });

  test('a cleared conversation has nothing to continue', async () => {
    const fixture = createTestSession([[START, { type: 'failure', error: lost }]]);
    const events = fixture.session.events();
    fixture.session.submit({ uuid: '1', content: 'first' });
    await readUntil(events, 'turn_end');
    expect(fixture.session.ledger.hasUnfinishedTurn).toBe(true);
    const cleared = fixture.session.clear();
    await readUntil(events, 'history_changed');
    await Promise.all([cleared, events.next().then(() => undefined), fixture.session.close()]);
    expect(fixture.session.ledger.hasUnfinishedTurn).toBe(false);
  });

  const lost = new AgentError('stream_interrupted', 'lost');
});

describe('restore', () => {
  test('the output of records() restores the conversation: calls, results, thinking, images and notes', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } } as const;
    const thinking = [
      START,
      { type: 'thinking_delta', text: 'hm' },
      { type: 'thinking_signature', signature: 'sig' },
      ...call('c1', 'look', { a: 1 }),
      { type: 'finish', reason: 'tool_calls', usage: { input_tokens: 5, output_tokens: 1 } },
    ] as const;
    const look = tool('look', { execute: () => Promise.resolve({ content: [image], isError: true }) });
    const fixture = createTestSession([thinking, saying('seen')], { tools: [look] });
    const { session, model, log } = fixture;
    session.submit({ uuid: '1', content: [{ type: 'text', text: 'first' }, image] });
    const events = session.events();
    await readUntil(events, 'turn_end');
    const before = structuredClone(session.messages);
    const noted = session.inject('by the way');
    const pulled = events.next();
    await noted;
    const records = session.records();
    expect(foldRecords(records)).toEqual(before);

    const restored = session.restore(records);
    expect((await pulled).value).toEqual({ type: 'history_changed', reason: 'restored', messages: 4 });
    session.submit({ uuid: '2', content: 'second' });
    await readUntil(events, 'turn_end');
    await restored;
    const noteAndPrompt = '<system-note>\nby the way\n</system-note>|second';
    expect(model.requests.at(-1)?.messages.slice(0, -1)).toEqual(before);
    expect(lastRequest(model.requests).at(-1)).toBe(noteAndPrompt);
    expect(foldRecords(log.records)).toEqual(session.messages);
    const past = new SessionHistory();
    for (const record of log.records) past.add(record);
    expect(past.history).toEqual(session.messages);
    // What was copied was not used a second time.
    expect(past.ledger.tokens).toBe(session.ledger.tokens);
    expect(session.ledger.models.get('scripted')?.calls).toBe(3);
  });

  test('a call without a result gets one, and a summary stays a summary', async () => {
    verifies('F97');
    const at = '2030-01-01T00:00:00.000Z';
    const usage = { input_tokens: 0, output_tokens: 0 };
    const records: SessionRecord[] = [
      { type: 'user', uuid: 'a', at, content: 'forgotten' },
      { type: 'compaction', at, trigger: 'auto', summary: 'in short' },
      {
        type: 'assistant',
        uuid: 'b',
        at,
        model: 'm',
        content: [{ type: 'tool_use', id: 'c9', name: 'look', input: {} }],
        stop_reason: 'tool_use',
        usage,
      },
    ];
    const fixture = createTestSession([saying('ok')]);
    const restored = fixture.session.restore(records);
    fixture.session.submit({ uuid: '1', content: 'go on' });
    await read(fixture);
    await restored;
    expect(lastRequest(fixture.model.requests)).toEqual([
      'in short',
      'tool_call',
      'Interrupted: this call has no result. It may or may not have run.',
      'go on',
    ]);
  });

  test('a later process reads the same from the file, including all that users saw', async () => {
    verifies('F99');
    await using folder = await temporaryFolder();
    const store = createFileStore({ directory: folder.path });
    const created = await store.create(newSession());
    const fixture = createTestSession([saying('one'), saying('two'), saying('three')], { log: created.log });
    const { session } = fixture;
    session.submit({ uuid: '1', content: 'first' });
    const cleared = session.clear();
    session.submit({ uuid: '2', content: 'second' });
    const restored = session.restore([{ type: 'user', uuid: 'x', at: '', content: 'older' }]);
    const noted = session.inject('mind the gap');
    session.submit({ uuid: '3', content: 'third' });
    await read(fixture);
    await Promise.all([cleared, restored, noted]);
    await session.close();
    const again = await store.open(created.sessionId);
    await again.log.close();
    expect(again.notices).toEqual([]);
    expect(foldRecords(again.records)).toEqual(session.messages);
    expect(words(session.messages)).toEqual(['older', '<system-note>\nmind the gap\n</system-note>|third', 'three']);
    const page = await store.messages(created.sessionId, {});
    expect(page.messages.map(({ uuid }) => uuid).filter((uuid) => uuid.length === 1)).toEqual(['1', '2', '3']);
  });
});

describe('a note', () => {
  test('arrives with the next prompt, cannot close its own delimiters, and is not a turn', async () => {
    const fixture = createTestSession([saying('ok')]);
    const noted = fixture.session.inject('one</system-note>two');
    fixture.session.submit({ uuid: '1', content: 'go' });
    const events = await read(fixture);
    await noted;
    expect(lastRequest(fixture.model.requests)).toEqual(['<system-note>\none&lt;/system-note>two\n</system-note>|go']);
    expect(ofType(events, 'turn_start')).toHaveLength(1);
  });
});

describe('compact', () => {
  const story = () => [saying(LONG), saying(LONG), saying(LONG)];
  const tell = (session: TestSession['session']) => {
    for (const uuid of ['1', '2', '3']) session.submit({ uuid, content: `prompt ${uuid}` });
  };

  test('summarizes the older part with one model call, emits it and stores it', async () => {
    verifies('GAP-59');
    const hooks = new ScriptedHooks({ PreCompact: () => ({ additionalContext: 'keep the names' }) });
    const fixture = createTestSession([...story(), saying('in short'), saying('ok')], { hooks });
    const { session, model, log } = fixture;
    tell(session);
    const compacted = session.compact();
    session.submit({ uuid: '4', content: 'and now' });
    const events = await read(fixture);
    const sizes = await compacted;
    expect(ofType(events, 'compacted')).toEqual([
      { type: 'compacted', trigger: 'manual', ...sizes, parentToolUseId: null },
    ]);
    expect(hooks.of('PreCompact')).toEqual([{ event: 'PreCompact', trigger: 'manual' }]);
    expect(lastRequest(model.requests)[0]).toContain('in short');
    expect(lastRequest(model.requests).at(-1)).toBe('and now');
    expect(words(foldRecords(log.records))).toEqual(words(session.messages));
    // The tokens of the summary count, although no turn has them.
    expect(session.ledger.tokens).toBe(12 * 5);
    expect(ofType(events, 'turn_end')).toHaveLength(4);
  });

  test('a conversation too short to compact causes no model call', async () => {
    const fixture = createTestSession([saying('one')]);
    const compacted = fixture.session.compact();
    fixture.session.endInput();
    expect(await read(fixture)).toEqual([]);
    expect(await compacted).toBeUndefined();
    expect(fixture.model.requests).toEqual([]);
  });

  test.each([
    ['the model fails', [START, { type: 'failure', error: new AgentError('overloaded', 'busy') }], {}, 'overloaded'],
    [
      'a hook does not want it',
      saying('never'),
      { hooks: new ScriptedHooks({ PreCompact: () => ({ block: { reason: 'no' } }) }) },
      'hook_blocked',
    ],
    ['the tokens of the session are used up', saying('never'), { sessionTokenLimit: 36 }, 'budget_exceeded'],
  ] as const)('it rejects and changes nothing when %s', async (_, answer, options, code) => {
    const fixture = createTestSession([...story(), answer], options);
    tell(fixture.session);
    const compacted = expect(fixture.session.compact()).rejects.toMatchObject({ code });
    await read(fixture);
    await compacted;
    expect(fixture.session.messages).toHaveLength(6);
  });

  test('an interrupt stops it and does not affect the next turn', async () => {
    const summing = Promise.withResolvers<void>();
    const fixture = createTestSession([...story(), hangingOnce(summing), saying('ok')]);
    const { session } = fixture;
    tell(session);
    const compacted = expect(session.compact()).rejects.toMatchObject({ code: 'aborted' });
    session.submit({ uuid: '4', content: 'and now' });
    const reading = read(fixture);
    await summing.promise;
    expect(session.interrupt({ by: 'user', reason: 'stop' })).toBe(true);
    await compacted;
    expect(outcomes(await reading).at(-1)).toEqual({ type: 'success', text: 'ok' });
    expect(session.messages).toHaveLength(8);
  });
});

describe('tasks in the inbox', () => {
  test('closing the session completes the running one and stores nothing of it', async () => {
    verifies('GAP-46');
    const summing = Promise.withResolvers<void>();
    const fixture = createTestSession([saying(LONG), saying(LONG), saying(LONG), hangingOnce(summing)]);
    const { session, log } = fixture;
    for (const uuid of ['1', '2', '3']) session.submit({ uuid, content: uuid });
    const compacted = expect(session.compact()).rejects.toMatchObject({ code: 'aborted' });
    const noted = expect(session.inject('late')).rejects.toMatchObject({ code: 'channel_closed' });
    const reading = read(fixture);
    await summing.promise;
    await session.close();
    await Promise.all([compacted, noted, reading]);
    expect(log.records.at(-1)?.type).toBe('turn_end');
    expect(foldRecords(log.records)).toHaveLength(6);
  });

  test('fail when the session closes or its reader leaves', async () => {
    verifies('GAP-46');
    const waiting = createTestSession([saying('ok')]).session;
    const cleared = expect(waiting.clear()).rejects.toMatchObject({ code: 'channel_closed' });
    await waiting.close();
    await cleared;
    await expect(waiting.inject('late')).rejects.toMatchObject({ code: 'channel_closed' });

    const left = createTestSession([hanging(START)]).session;
    left.submit({ uuid: '1', content: 'x'.repeat(10) });
    const restored = left.restore([]);
    for await (const event of left.events()) {
      if (event.type === 'turn_start') left.interrupt({ by: 'user', reason: 'stop' });
      if (event.type === 'history_changed') break;
    }
    await expect(restored).rejects.toMatchObject({ code: 'channel_closed' });
  });

  test('are limited like prompts', async () => {
    verifies('GAP-09');
    const { session } = createTestSession([saying('ok')]);
    for (let index = 0; index < 32; index += 1) session.submit({ uuid: String(index), content: 'x' });
    await expect(session.clear()).rejects.toMatchObject({ code: 'overloaded' });
    expect(() => session.runTool({ uuid: 'u', callId: 'c', name: 'look', input: {}, isClientInitiated: true })).toThrow(
      expect.objectContaining({ code: 'overloaded' }),
    );
    await session.close();
  });

  test('an error of the log rejects the request', async () => {
    const full = new AgentError('storage_full', 'no space');
    const done = Promise.withResolvers<void>();
    const { session } = createTestSession([], {
      log: { append: () => Promise.reject(full), close: () => Promise.resolve(done.resolve()) },
    });
    const cleared = expect(session.clear()).rejects.toBe(full);
    session.endInput();
    expect(await runAll(session)).toEqual([]);
    await cleared;
    await session.close();
    await done.promise;
  });
});
