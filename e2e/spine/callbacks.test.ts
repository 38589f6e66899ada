import { createSdkMcpServer, tool } from '@qwen/sdk';
import { calls, says, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { collect, PLACES, results } from './fixture.ts';

const writes = (path: string, id?: string) => ({
  name: 'write_file',
  input: { file_path: path, content: path },
  ...(id && { id }),
});

describe.each(Object.entries(PLACES))('a CLI %s', (_place, openFixture) => {
  test('a callback may switch the model of its own query', async () => {
    verifies('T2', 'FB3', 'M-31', 'M-34');
    await using fixture = await openFixture([calls(writes('a.txt')), says('done')]);
    const conversation = fixture.query('write', {
      canUseTool: async (_name, input) => {
        await conversation.setModel('another-model');
        return { behavior: 'allow', updatedInput: input };
      },
    });
    expect(results(await collect(conversation))).toMatchObject([{ subtype: 'success', result: 'done' }]);
    expect(fixture.model.requests.map((request) => request.model)).toEqual(['scripted', 'another-model']);
    expect(await fixture.workspace.read('a.txt')).toBe('a.txt');
  });

  test('two callbacks wait at the same time while messages arrive', async () => {
    verifies('FB3', 'O-33', 'F33');
    await using fixture = await openFixture([
      calls(writes('a.txt', 'call_a'), writes('b.txt', 'call_b')),
      says('done'),
    ]);
    const bothAsked = Promise.withResolvers<void>();
    const asked: string[] = [];
    const conversation = fixture.query('write both', {
      canUseTool: async (_name, input) => {
        asked.push(String(input['file_path']));
        if (asked.length === 2) bothAsked.resolve();
        await bothAsked.promise;
        return { behavior: 'allow', updatedInput: input };
      },
    });
    const messages = await collect(conversation);
    expect(asked.toSorted()).toEqual(['a.txt', 'b.txt']);
    expect(messages.filter((message) => message.type === 'user')).not.toHaveLength(0);
    expect(results(messages)).toMatchObject([{ subtype: 'success' }]);
  });

  test('results of parallel tools are reported in the order of the calls', async () => {
    verifies('M-42');
    await using fixture = await openFixture([
      calls(writes('slow.txt', 'call_1'), writes('fast.txt', 'call_2')),
      says('done'),
    ]);
    const fastAnswered = Promise.withResolvers<void>();
    const conversation = fixture.query('write', {
      canUseTool: async (_name, input) => {
        if (input['file_path'] === 'slow.txt') await fastAnswered.promise;
        else queueMicrotask(() => fastAnswered.resolve());
        return { behavior: 'allow', updatedInput: { ...input, content: 'changed by the app' } };
      },
    });
    await collect(conversation);
    const followUp = fixture.model.requests[1];
    expect(
      followUp?.messages.filter((message) => message.role === 'tool').map((message) => message.tool_call_id),
    ).toEqual(['call_1', 'call_2']);
    expect(await fixture.workspace.read('slow.txt')).toBe('changed by the app');
  });

  test("without a timely answer the tool does not run, the callback's signal aborts, and the turn continues", async () => {
    verifies('M-50', 'FB4', 'S28', 'F21');
    await using fixture = await openFixture([calls(writes('a.txt')), says('I was not allowed.')]);
    const withdrawn = Promise.withResolvers<void>();
    const conversation = fixture.query('write', {
      timeout: { canUseTool: 50 },
      canUseTool: (_name, _input, { signal }) =>
        new Promise(() => signal.addEventListener('abort', () => withdrawn.resolve())),
    });
    const [result] = results(await collect(conversation));
    await withdrawn.promise;
    expect(result).toMatchObject({ subtype: 'success', permission_denials: [{ tool_name: 'write_file' }] });
    await expect(fixture.workspace.read('a.txt')).rejects.toThrow(/ENOENT/);
  });

  test('a callback that throws denies with its message', async () => {
    verifies('S28');
    await using fixture = await openFixture([calls(writes('a.txt')), says('no')]);
    const conversation = fixture.query('write', {
      canUseTool: () => Promise.reject(new Error('policy service is down')),
    });
    const messages = await collect(conversation);
    expect(JSON.stringify(messages)).toContain('policy service is down');
    await expect(fixture.workspace.read('a.txt')).rejects.toThrow(/ENOENT/);
  });

  test('a denial with interrupt stops the turn and reports the reason', async () => {
    verifies('M-43');
    await using fixture = await openFixture([calls(writes('a.txt')), says('never asked for')]);
    const conversation = fixture.query('write', {
      canUseTool: async () => ({ behavior: 'deny', message: 'stop everything', interrupt: true }),
    });
    expect(results(await collect(conversation))).toMatchObject([{ subtype: 'interrupted', is_error: false }]);
    expect(fixture.model.requests).toHaveLength(1);
  });

  test('without a callback, calls that would ask are denied', async () => {
    verifies('S28', 'M-48');
    await using fixture = await openFixture([calls(writes('a.txt')), says('no')]);
    const [result] = results(await collect(fixture.query('write')));
    expect(result).toMatchObject({ permission_denials: [{ tool_name: 'write_file', tool_use_id: 'call_1' }] });
  });

  test('two tools of an in-process server overlap, and an answer with id 0 arrives', async () => {
    verifies('O-31', 'F115', 'T9');
    await using fixture = await openFixture([
      calls(
        { name: 'mcp__meet__arrive', input: { who: 'a' }, id: 'call_a' },
        { name: 'mcp__meet__arrive', input: { who: 'b' }, id: 'call_b' },
      ),
      says('met'),
    ]);
    const bothHere = Promise.withResolvers<void>();
    const here: string[] = [];
    const meet = createSdkMcpServer({
      name: 'meet',
      tools: [
        tool('arrive', 'Waits for the other one.', { who: z.string() }, async ({ who }) => {
          here.push(who);
          if (here.length === 2) bothHere.resolve();
          await bothHere.promise;
          return { content: [{ type: 'text', text: `${who} met` }] };
        }),
      ],
    });
    const conversation = fixture.query('meet', { mcpServers: { meet }, allowedTools: ['mcp__meet__*'] });
    expect(results(await collect(conversation))).toMatchObject([{ subtype: 'success', result: 'met' }]);
    const answers = fixture.model.requests[1]?.messages.filter((message) => message.role === 'tool');
    expect(answers?.map((message) => message.content)).toEqual(['a met', 'b met']);
  });
});
