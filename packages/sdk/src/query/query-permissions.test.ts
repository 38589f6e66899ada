import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { collect, queryTo, resultOf, silentPrompt, userMessage } from '../../test/programs.js';
import {
  type CanUseTool,
  type CanUseToolContext,
  type PermissionUpdate,
  type QueryOptions,
  query,
  type SDKUserMessage,
} from '../index.js';
import { scriptedCli } from '../testing/index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

/** The answers to this number of concurrent questions. */
async function verdicts(count: number, options: QueryOptions): Promise<unknown[]> {
  const result = await resultOf(queryTo('asks-permission', { prompt: String(count), options }));
  const answers = 'answers' in result && Array.isArray(result.answers) ? result.answers : [];
  return answers.map((answer: { response: unknown }) => answer.response);
}

test('the callback gets the whole question, and its answer reaches the CLI', async () => {
  verifies('O-45', 'O-28', 'FB2', 'M-80', 'J-14');
  const seen: unknown[] = [];
  const canUseTool: CanUseTool = (toolName, input, context) => {
    seen.push([toolName, input, { ...context, signal: context.signal.aborted }]);
    return { behavior: 'allow', updatedInput: { index: 'changed' } };
  };
  expect(await verdicts(1, { canUseTool })).toEqual([{ behavior: 'allow', updatedInput: { index: 'changed' } }]);
  expect(seen).toEqual([
    [
      'tool_0',
      { index: 0 },
      {
        signal: false,
        suggestions: [{ type: 'allow', label: 'Allow' }],
        toolUseId: 'call_0',
        requestId: expect.any(String),
        blockedPath: '/outside',
        reason: 'it writes',
        agent: undefined,
        parentToolUseId: null,
        toolUseID: 'call_0',
        decisionReason: 'it writes',
        agentID: undefined,
      },
    ],
  ]);
});

test('an approval without new input leaves the input unchanged; a denial may stop the turn', async () => {
  expect(await verdicts(1, { canUseTool: () => ({ behavior: 'allow' }) })).toEqual([{ behavior: 'allow' }]);
  const canUseTool: CanUseTool = async () => ({ behavior: 'deny', message: 'not today', interrupt: true });
  expect(await verdicts(1, { canUseTool })).toEqual([{ behavior: 'deny', message: 'not today', interrupt: true }]);
});

test('an approval and a denial can carry new rules', async () => {
  const updatedPermissions: PermissionUpdate[] = [
    { type: 'addRules', rules: ['Bash(npm test)'], behavior: 'allow', destination: 'session' },
  ];
  const allow: CanUseTool = () => ({ behavior: 'allow', updatedPermissions });
  expect(await verdicts(1, { canUseTool: allow })).toEqual([{ behavior: 'allow', updatedPermissions }]);
  const deny: CanUseTool = () => ({ behavior: 'deny', message: 'never', updatedPermissions });
  expect(await verdicts(1, { canUseTool: deny })).toEqual([{ behavior: 'deny', message: 'never', updatedPermissions }]);
});

test('in the mode dontAsk the callback is not called, and another mode asks again', async () => {
  let calls = 0;
  const canUseTool: CanUseTool = () => {
    calls += 1;
    return { behavior: 'allow' };
  };
  const cli = scriptedCli(({ asksPermission }) => asksPermission('edit', {}).then(() => undefined), {
    answers: { set_permission_mode: () => null },
  });
  const conversation = query({ prompt: silentPrompt(), options: { canUseTool, transport: cli.transport } });
  const turns = [];
  for (const mode of ['dontAsk', 'default'] as const) {
    await conversation.setPermissionMode(mode);
    await conversation.streamInput(
      (async function* () {
        yield userMessage('x');
      })(),
    );
    for (let next = await conversation.next(); next.done !== true; next = await conversation.next()) {
      if (next.value.type !== 'result') continue;
      turns.push([calls, next.value.permission_denials.length]);
      break;
    }
  }
  await conversation.close();
  expect(turns).toEqual([
    [0, 1],
    [1, 0],
  ]);
  expect(cli.requests.map(({ payload }) => Reflect.get(Object(payload), 'mode')).filter(Boolean)).toEqual([
    'default',
    'default',
  ]);
});

test('permission callbacks run concurrently', async () => {
  verifies('FB3', 'F33');
  const allAsked = Promise.withResolvers<void>();
  let asked = 0;
  const canUseTool: CanUseTool = async () => {
    asked += 1;
    if (asked === 50) allAsked.resolve();
    await allAsked.promise;
    return { behavior: 'allow' };
  };
  expect(await verdicts(50, { canUseTool })).toHaveLength(50);
});

test('the input stays open for answers until the last message has its result', async () => {
  verifies('FB1', 'F116');
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield userMessage('1');
    yield userMessage('1');
  }
  const canUseTool: CanUseTool = async () => {
    // The iterable has ended long before: only then is the question answered.
    await exhausted;
    return { behavior: 'allow' };
  };
  const conversation = queryTo('asks-permission', { options: { canUseTool }, prompt: silentPrompt() });
  const exhausted = conversation.streamInput(prompts());
  await exhausted;
  conversation.endInput();
  const results = (await collect(conversation)).filter(({ type }) => type === 'result');
  expect(results).toMatchObject([
    { answers: [{ response: { behavior: 'allow' } }] },
    { answers: [{ response: { behavior: 'allow' } }] },
  ]);
});

test('a callback may use the query that is asking it', async () => {
  verifies('T2', 'FB3');
  const conversation = queryTo('asks-permission', {
    prompt: '1',
    options: {
      canUseTool: async () => {
        await conversation.setModel('another');
        await conversation.interrupt();
        return { behavior: 'allow' };
      },
    },
  });
  expect(await resultOf(conversation)).toMatchObject({ answers: [{ response: { behavior: 'allow' } }] });
});

test.each<[string, unknown, string]>([
  ['nothing', undefined, 'canUseTool must return'],
  ['true', true, 'canUseTool must return'],
  ['another word', { behavior: 'ALLOW' }, 'canUseTool must return'],
  [
    'an input that is no object',
    { behavior: 'allow', updatedInput: 'rm -rf /' },
    'answer.updatedInput: expected record',
  ],
  ['no list of updates', { behavior: 'allow', updatedPermissions: 'all' }, 'updatedPermissions: expected a list'],
  [
    'an unknown update',
    { behavior: 'allow', updatedPermissions: [{ type: 'addDirectories', directories: [] }] },
    'updatedPermissions.0.type: addDirectories is not supported',
  ],
])('a callback that answers %s denies', async (_name, answer, message) => {
  verifies('S28');
  const lines: string[] = [];
  const options = { canUseTool: () => answer as never, stderr: (line: string) => lines.push(line) };
  expect(await verdicts(1, options)).toMatchObject([
    { behavior: 'deny', message: expect.not.stringContaining(message), reason: expect.stringContaining(message) },
  ]);
  expect(lines.join('\n')).toContain(message);
});

test('a callback that throws denies, immediately or later; its message is not sent to the model', async () => {
  const message = 'The permission check failed, so this call was denied.';
  const failed = 'canUseTool failed for tool_0';

  const atOnce: CanUseTool = () => {
    throw new Error('policy is down');
  };
  expect(await verdicts(1, { canUseTool: atOnce })).toEqual([
    { behavior: 'deny', message, reason: `${failed}: policy is down` },
  ]);
  const later: CanUseTool = () => Promise.reject(new Error('policy is slow'));
  expect(await verdicts(1, { canUseTool: later })).toEqual([
    { behavior: 'deny', message, reason: `${failed}: policy is slow` },
  ]);
});

test('denies every request without a callback', async () => {
  expect(await verdicts(1, {})).toMatchObject([{ behavior: 'deny', message: expect.stringMatching(/^Denied/) }]);
});

test('a withdrawn question aborts the signal of its callback, and the next question works', async () => {
  verifies('FB4', 'F21', 'O-28');
  const withdrawn: unknown[] = [];
  const conversation = queryTo('withdraws-permission', {
    options: {
      canUseTool: async (_tool, _input, { signal, toolUseId }) => {
        if (toolUseId === 'second') return { behavior: 'allow' };
        await conversation.supportedCommands();
        await aborted(signal);
        withdrawn.push(signal.reason);
        return { behavior: 'allow' };
      },
    },
  });
  expect(await resultOf(conversation)).toMatchObject({ answers: [{ response: { behavior: 'allow' } }] });
  expect(withdrawn).toMatchObject([{ code: 'cancelled' }]);
});

test('closing the query aborts pending callbacks', async () => {
  verifies('T5', 'T30');
  const asked = Promise.withResolvers<CanUseToolContext>();
  const canUseTool: CanUseTool = async (_tool, _input, context) => {
    asked.resolve(context);
    await aborted(context.signal);
    return { behavior: 'allow' };
  };
  const conversation = queryTo('asks-permission', { prompt: '1', options: { canUseTool } });
  const iteration = collect(conversation);
  const { signal } = await asked.promise;
  await conversation.close({ graceMs: 0 });
  expect(signal.aborted).toBe(true);
  expect(await iteration).toEqual([]);
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

test.each([
  ['updatedinput', 'updatedInput'],
  ['updated_input', 'updatedInput'],
  ['updatePermissions', 'updatedPermissions'],
  ['input', 'updatedInput'],
  ['modifiedArgs', 'updatedInput'],
  ['rules', 'updatedPermissions'],
])('an approval with the misspelled member %s denies the call', async (name, nearest) => {
  const lines: string[] = [];
  const canUseTool = () => ({ behavior: 'allow', [name]: {} }) as never;
  const stderr = (line: string) => lines.push(line);
  expect(await verdicts(1, { canUseTool, stderr })).toMatchObject([{ behavior: 'deny' }]);
  expect(lines.join('\n')).toContain(`has no member ${name}; did you mean ${nearest}?`);
});
