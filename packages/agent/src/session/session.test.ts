import type { SessionLog } from '@qwen/agent';
import type { ModelPart } from '@qwen/models';
import { AgentError, type SessionRecord } from '@qwen/protocol';
import { createFakeClock, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  FINISH,
  hanging,
  ofType,
  outcomes,
  readUntil,
  runAll,
  START,
  saying,
  text,
  tool,
} from '../../test/scripted-engine.js';

describe('turns', () => {
  test('each prompt is one turn, in the order of the prompts', async () => {
    verifies('GAP-09');
    const { session, log } = createTestSession([saying('one'), saying('two')]);
    const events = await runAll(session, 'a', 'b');
    expect(
      events
        .filter(({ type }) => type.startsWith('turn_'))
        .map((event) => 'turnId' in event && `${event.type} ${event.turnId}`),
    ).toEqual(['turn_start prompt-1', 'turn_end prompt-1', 'turn_start prompt-2', 'turn_end prompt-2']);
    expect(outcomes(events)).toEqual([
      { type: 'success', text: 'one' },
      { type: 'success', text: 'two' },
    ]);
    expect(log.records.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'turn_end',
      'user',
      'assistant',
      'turn_end',
    ]);
  });

  test('at most 32 prompts wait; the next one is refused and the others are answered', async () => {
    verifies('GAP-09');
    const { session } = createTestSession([saying('ok')]);
    for (let index = 0; index < 32; index += 1) session.submit({ uuid: String(index), content: 'x' });
    expect(() => session.submit({ uuid: '32', content: 'x' })).toThrow(expect.objectContaining({ code: 'overloaded' }));
    session.endInput();
    expect(() => session.submit({ uuid: '33', content: 'x' })).toThrow(
      expect.objectContaining({ code: 'channel_closed' }),
    );
    expect(outcomes(await runAll(session))).toHaveLength(32);
  });

  test('a change just before the end of the input is still emitted', async () => {
    const { session } = createTestSession([]);
    session.setPermissionMode('plan');
    const seen: string[] = [];
    for await (const event of session.events()) {
      seen.push(event.type === 'permission_mode_changed' ? event.mode : event.type);
      if (seen.length === 1) session.setPermissionMode('yolo');
      session.endInput();
    }
    expect(seen).toEqual(['plan', 'yolo']);
  });

  test('nothing runs without a reader', async () => {
    let told = 0;
    const counting = async function* count(): AsyncGenerator<ModelPart> {
      yield START;
      for (let index = 0; index < 1000; index += 1) {
        told += 1;
        yield text('x');
        await Promise.resolve();
      }
      yield FINISH;
    };
    const { session, model } = createTestSession([counting]);
    session.submit({ uuid: 'u', content: 'go' });
    expect(model.requests).toEqual([]);
    const events = session.events();
    await readUntil(events, 'block_delta');
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toBe(1);
    await events.return();
  });

  test('a second reader is refused', async () => {
    const { session } = createTestSession([saying('ok')]);
    session.submit({ uuid: 'u', content: 'go' });
    const events = session.events();
    await readUntil(events, 'turn_start');
    await expect(session.events().next()).rejects.toMatchObject({ code: 'already_reading' });
    await events.return();
    await expect(session.events().return()).resolves.toMatchObject({ done: true });
  });

  test('reports the duration of the turn and of the model calls', async () => {
    const clock = createFakeClock();
    const slow = async function* slow(): AsyncGenerator<ModelPart> {
      clock.advance(40);
      yield* saying('ok');
      await Promise.resolve();
    };
    const quick = tool('quick', {
      execute: () => {
        clock.advance(2);
        return Promise.resolve({ content: '' });
      },
    });
    const { session } = createTestSession([calling(call('c', 'quick')), slow], { clock, tools: [quick] });
    expect(ofType(await runAll(session, 'go'), 'turn_end')[0]).toMatchObject({ durationMs: 42, durationApiMs: 40 });
  });

  test('notices of the opening come first', async () => {
    const { session } = createTestSession([saying('ok')], { notices: [{ code: 'tail_repaired', message: 'cut' }] });
    expect((await runAll(session, 'go'))[0]).toEqual({
      type: 'notice',
      code: 'tail_repaired',
      message: 'cut',
      parentToolUseId: null,
    });
  });

  test('blocks that the model cannot read are omitted from a prompt', async () => {
    const { session, model } = createTestSession([saying('ok')]);
    session.submit({
      uuid: 'u',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
        { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } },
        { type: 'thinking', thinking: 'mine' },
      ],
    });
    await runAll(session);
    expect(model.requests[0]?.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', mediaType: 'image/png', data: 'AAAA' },
          { type: 'image_url', url: 'https://example.test/a.png' },
        ],
      },
    ]);
  });
});

describe('stores what it emits', () => {
  /** A log that exposes the write in progress. */
  class SlowLog implements SessionLog {
    readonly written: SessionRecord[] = [];
    closed = false;

    async append(record: SessionRecord): Promise<void> {
      await new Promise((resolve) => setImmediate(resolve));
      this.written.push(record);
    }

    close(): Promise<void> {
      this.closed = true;
      return Promise.resolve();
    }
  }

  test('a message, a result and a call are in the log before they are emitted', async () => {
    const log = new SlowLog();
    let recordedWhenRun: string[] = [];
    const look = tool('look', {
      execute: () => {
        recordedWhenRun = log.written.map(({ type }) => type);
        return Promise.resolve({ content: 'seen' });
      },
    });
    const { session } = createTestSession([calling(call('c', 'look')), saying('done')], { log, tools: [look] });
    session.submit({ uuid: 'u', content: 'go' });
    session.endInput();
    for await (const event of session.events()) {
      const last = log.written.at(-1);
      if (event.type === 'message_end') expect(last).toMatchObject({ type: 'assistant', uuid: event.messageId });
      if (event.type === 'tool_end') expect(last).toMatchObject({ type: 'tool_result', uuid: event.outcome.uuid });
      if (event.type === 'turn_end') expect(last).toMatchObject({ type: 'turn_end', outcome: 'success' });
    }
    expect(recordedWhenRun).toEqual(['user', 'assistant']);
    await session.close();
    expect(log.closed).toBe(true);
  });

  test('a log that fails ends the turn with its error, and no tool runs after it', async () => {
    verifies('F83');
    for (const failsAt of ['user', 'assistant', 'tool_result', 'turn_end'] as const) {
      let isFull = true;
      let ran = 0;
      const kept: string[] = [];
      const log: SessionLog = {
        append: (record) => {
          if (isFull && record.type === failsAt) return Promise.reject(new AgentError('storage_full', 'no space'));
          kept.push(record.type);
          return Promise.resolve();
        },
        close: () => Promise.resolve(),
      };
      const count = tool('count', { execute: () => Promise.resolve({ content: String((ran += 1)) }) });
      const { session, model } = createTestSession([calling(call('c', 'count')), saying('done')], {
        log,
        tools: [count],
      });
      session.submit({ uuid: 'u1', content: 'one' });
      const events = session.events();
      const first = await readUntil(events, 'turn_end');
      expect(outcomes(first)).toMatchObject([{ type: 'error', error: { code: 'storage_full' } }]);
      expect(ran).toBe(failsAt === 'user' || failsAt === 'assistant' ? 0 : 1);
      if (failsAt === 'assistant') expect(ofType(first, 'message_end')).toEqual([]);
      // Once there is space, the session continues with a history that a provider accepts.
      isFull = false;
      session.submit({ uuid: 'u2', content: 'two' });
      const second = await readUntil(events, 'turn_end');
      expect(outcomes(second)).toMatchObject([{ type: 'success' }]);
      expect(model.requests.length).toBeGreaterThan(0);
      await session.close();
    }
  });

  test('calls that run beside a result that cannot be stored are stopped', async () => {
    verifies('F83');
    const stopped = Promise.withResolvers<void>();
    const log: SessionLog = {
      append: (record) =>
        record.type === 'tool_result' ? Promise.reject(new AgentError('storage_full', 'no space')) : Promise.resolve(),
      close: () => Promise.resolve(),
    };
    const wait = tool('wait', {
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped.resolve();
            reject(new Error('stopped'));
          });
        }),
    });
    const { session } = createTestSession([calling(call('c1', 'quick'), call('c2', 'wait'))], {
      log,
      tools: [tool('quick'), wait],
    });
    expect(outcomes(await runAll(session, 'go'))).toMatchObject([{ type: 'error', error: { code: 'storage_full' } }]);
    await stopped.promise;
  });
});

describe('the model', () => {
  test('a switch applies from the next model call and is reported', async () => {
    const { session, model } = createTestSession([calling(call('c', 'switch')), saying('done')], {
      tools: [
        tool('switch', {
          execute: async () => {
            await session.setModel('other');
            return { content: '' };
          },
        }),
      ],
    });
    const events = await runAll(session, 'go');
    expect(model.requests.map((request) => request.model)).toEqual(['scripted', 'other']);
    expect(ofType(events, 'model_changed')).toEqual([{ type: 'model_changed', model: 'other' }]);
    expect(session.model).toBe('other');
  });

  test('a model that cannot be created is refused, and the old one stays', async () => {
    const { session, model } = createTestSession([saying('ok')], {
      createModel: (id) =>
        id === 'scripted' ? Promise.resolve(model) : Promise.reject(new AgentError('model_not_found', id)),
    });
    await expect(session.setModel('nothing')).rejects.toMatchObject({ code: 'model_not_found' });
    expect(session.model).toBe('scripted');
    expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'success', text: 'ok' }]);
  });

  test('of two switches the later one applies, whatever the first one takes', async () => {
    const gate = Promise.withResolvers<void>();
    const { session, model } = createTestSession([saying('ok')], {
      createModel: async (id) => {
        if (id === 'slow') await gate.promise;
        return model;
      },
    });
    const slow = session.setModel('slow');
    await session.setModel('quick');
    gate.resolve();
    await slow;
    expect(session.model).toBe('quick');
  });

  test('added tools are available from the next model call', async () => {
    const { session, model } = createTestSession([saying('one'), calling(call('c', 'late')), saying('done')]);
    session.submit({ uuid: 'u1', content: 'one' });
    const events = session.events();
    await readUntil(events, 'turn_end');
    session.setTools([tool('late')]);
    session.submit({ uuid: 'u2', content: 'two' });
    expect(ofType(await readUntil(events, 'turn_end'), 'tool_end')).toHaveLength(1);
    expect(model.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([[], ['late'], ['late']]);
    await session.close();
  });
});

test('a session with unreadable rules is refused immediately', () => {
  const build = () => createTestSession([], { rules: { allow: [], ask: [], deny: ['Bash('] } });
  expect(build).toThrow(expect.objectContaining({ code: 'usage' }));
});

test('close stops the turn, drops pending prompts, ends the events and closes the log once', async () => {
  const { session } = createTestSession([hanging(START, text('par'))]);
  session.submit({ uuid: 'u1', content: 'one' });
  session.submit({ uuid: 'u2', content: 'two' });
  const events = session.events();
  await readUntil(events, 'block_delta');
  await Promise.all([session.close(), session.close()]);
  const rest = await readUntil(events, 'turn_end');
  expect(outcomes(rest)).toMatchObject([{ type: 'interrupted', by: 'shutdown' }]);
  expect(await events.next()).toEqual({ done: true, value: undefined });
});
