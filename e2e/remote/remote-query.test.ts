import { openSession, type SDKMessage } from '@qwen/sdk';
import { calls, resourceBaseline, says, trackChildren, verifies } from '@qwen/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { collect, results } from '../spine/fixture.ts';
import { openServedFixture } from './served-fixture.ts';

// The CLI runs below the server, which is in this process.
const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const writes = calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'written' } });

const textOf = (messages: readonly SDKMessage[]): string =>
  messages
    .map((message) =>
      message.type === 'stream_event' &&
      message.event.type === 'content_block_delta' &&
      message.event.delta.type === 'text_delta'
        ? message.event.delta.text
        : '',
    )
    .join('');

describe('a query whose CLI runs at a server', () => {
  test('hooks of the app decide calls, and methods are answered', async () => {
    verifies('O-53');
    await using fixture = await openServedFixture([writes, says('no luck')]);
    const asked: unknown[] = [];
    const conversation = fixture.query('write', {
      permissionMode: 'yolo',
      hooks: {
        PreToolUse: [
          {
            hooks: [
              async (input) => {
                asked.push(input.hook_event_name);
                return { decision: 'block', reason: 'not on a Sunday' };
              },
            ],
          },
        ],
      },
    });
    await conversation.initialized;
    expect(JSON.stringify(await conversation.supportedCommands())).toContain('help');
    await conversation.setPermissionMode('auto-edit');
    expect(JSON.stringify(await collect(conversation))).toContain('not on a Sunday');
    expect(asked).toEqual(['PreToolUse']);
    await expect(fixture.workspace.read('a.txt')).rejects.toThrow(/ENOENT/);
  });

  test('connections cut while the app is asked and during streaming lose and repeat nothing', async () => {
    verifies('F118', 'F126');
    const story = Array.from({ length: 400 }, (_, index) => `word${index} `).join('');
    await using fixture = await openServedFixture([writes, says(story)], { tokensPerSecond: 400 });
    let cuts = 0;
    const conversation = fixture.query('write, then talk', {
      includePartialMessages: true,
      canUseTool: async (_name, input) => {
        cuts += fixture.cut();
        return { behavior: 'allow', updatedInput: input };
      },
    });
    const messages: SDKMessage[] = [];
    for await (const message of conversation) {
      messages.push(message);
      if (message.type === 'stream_event' && messages.length % 40 === 0) cuts += fixture.cut();
    }
    expect(results(messages)).toMatchObject([{ subtype: 'success', result: story }]);
    expect(textOf(messages)).toBe(story);
    expect(await fixture.workspace.read('a.txt')).toBe('written');
    expect(cuts).toBeGreaterThan(4);
  });

  test('leaving the loop early ends the CLI at the server', async () => {
    verifies('FB6');
    await using fixture = await openServedFixture([says('a long story '.repeat(500))], { tokensPerSecond: 100 });
    const children = trackChildren();
    const conversation = fixture.query('tell', { includePartialMessages: true });
    for await (const message of conversation) if (message.type === 'stream_event') break;
    await conversation.closed;
    expect(children()).toEqual([]);
  });

  test('a CLI that refuses to start is reported in its own words', async () => {
    await using fixture = await openServedFixture([]);
    await fixture.workspace.write('home/.qwen/settings.json', '{ "model": 5 }');
    await expect(collect(fixture.query('tell'))).rejects.toMatchObject({
      code: 'invalid_settings',
      retryable: false,
      message: expect.stringMatching(/settings\.json.*model/s),
    });
  });

  test('an exiting CLI is reported with its signal', async () => {
    verifies('FB9');
    await using fixture = await openServedFixture([says('a long story '.repeat(500))], { tokensPerSecond: 50 });
    const children = trackChildren();
    const conversation = fixture.query('tell', { includePartialMessages: true });
    const run = (async () => {
      for await (const message of conversation) {
        if (message.type !== 'stream_event') continue;
        const [pid] = children();
        if (pid !== undefined) process.kill(pid, 'SIGKILL');
      }
    })();
    await expect(run).rejects.toMatchObject({
      code: 'process_exited',
      data: { signal: 'SIGKILL', sessionId: conversation.sessionId },
    });
  });

  test('a server that exits during a turn interrupts it, and the session resumes at the next server', async () => {
    verifies('FB18');
    await using fixture = await openServedFixture([says('first'), says('slow '.repeat(4_000)), says('second')], {
      tokensPerSecond: 200,
    });
    const first = fixture.query('one');
    const { sessionId } = first;
    expect(results(await collect(first))).toMatchObject([{ result: 'first' }]);
    const cutOff = fixture.query('two', { resume: sessionId, includePartialMessages: true });
    const streams = Promise.withResolvers<void>();
    const run = (async () => {
      const messages: SDKMessage[] = [];
      for await (const message of cutOff) {
        messages.push(message);
        if (message.type === 'stream_event') streams.resolve();
      }
      return results(messages);
    })();
    await streams.promise;
    await fixture.restart();
    // As with a local CLI: a shutdown stops the turn and reports it.
    expect(await run).toMatchObject([{ subtype: 'interrupted' }]);
    const again = fixture.query('three', { resume: sessionId });
    expect(results(await collect(again))).toMatchObject([{ result: 'second', session_id: sessionId }]);
    expect(JSON.stringify(fixture.model.requests.at(-1)?.messages)).toContain('one');
  });

  test('a session of the openai dialect runs with commands and tools', async () => {
    verifies('O-30');
    await using fixture = await openServedFixture([says('hello')]);
    await using session = await openSession({ server: fixture.place });
    expect((await session.prompt('hi').result).text).toBe('hello');
    expect((await session.command('/stats')).result?.type).toBeDefined();
  });

  test('without the token nothing starts', async () => {
    verifies('S55');
    await using fixture = await openServedFixture([]);
    const { url } = fixture.place;
    for (const token of ['wrong', undefined]) {
      const conversation = fixture.query('x', { server: { url, token: token ?? 'x' } });
      await expect(collect(conversation)).rejects.toMatchObject({ code: 'unauthorized' });
    }
  });
});
