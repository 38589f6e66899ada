import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { collect, failureOf, resultOf, silentPrompt } from '../../test/programs.js';
import { AgentError, createSdkMcpServer, type Query, type QueryOptions, query, tool } from '../index.js';
import { type Faults, injectFaults, type Script, type ScriptedCli, scriptedCli } from './index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

function queryThrough(
  faults: Faults,
  { cli, options = {} }: { readonly cli: ScriptedCli; readonly options?: QueryOptions },
): Query {
  return query({ prompt: 'hello', options: { ...options, transport: injectFaults(cli.transport, faults) } });
}

const TEXT = 'é 漢 👩‍👩‍👧 a\u2028b\u2029c \\u2028';

test.each<[string, Faults]>([
  ['no fault', {}],
  ['single bytes', { pieceBytes: 1 }],
  ['pieces that cut characters', { pieceBytes: 3 }],
  ['raw line separators', { rawSeparators: true }],
  ['raw line separators in single bytes', { rawSeparators: true, pieceBytes: 1 }],
  ['noise before the answer', { noise: { beforeLine: 3, text: 'npm WARN deprecated' } }],
  ['a delay that is over at once', { delay: () => Promise.resolve() }],
  ['a reader that takes a moment', { drain: () => new Promise(setImmediate) }],
])('with %s the answer arrives once and whole', async (_name, faults) => {
  verifies('F1', 'F3', 'F5', 'FB10', 'FB11', 'FB12');
  const cli = scriptedCli(({ says, prompt }) => says(prompt === 'hello' ? TEXT : 'what?'));
  const messages = await collect(queryThrough(faults, { cli }));
  expect(messages.map(({ type }) => type)).toEqual(['system', 'assistant', 'result']);
  expect(messages.at(-1)).toMatchObject({ result: TEXT });
});

test('delayed lines keep their order and follow fake timers', async () => {
  const gate = Promise.withResolvers<void>();
  const cli = scriptedCli(({ says }) => {
    for (const text of ['1', '2', '3']) says(text);
  });
  const conversation = queryThrough({ delay: () => gate.promise }, { cli });
  const first = conversation.next().then(() => 'read');
  expect(await Promise.race([first, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits');
  gate.resolve();
  const result = await resultOf(conversation);
  expect(result).toMatchObject({ result: '3' });
});

test('ignores the exit code of a CLI that has finished', async () => {
  const cli = scriptedCli(({ says }) => says('done'));
  const conversation = queryThrough({ exitCode: 7 }, { cli });
  expect(await resultOf(conversation)).toMatchObject({ result: 'done' });
  expect(await conversation.closed).toMatchObject({ exitCode: 7 });
});

interface Wait {
  /** Lines of the CLI behind which the app waits. */
  readonly afterLines: number;
  readonly script: Script;
  /** Missing where the iteration itself is the wait. */
  readonly ask?: (conversation: Query) => Promise<unknown>;
}

const never = () => new Promise<never>(() => undefined);

/** Each way in which an app can wait for a CLI. */
const WAITS: Record<string, Wait> = {
  'the next message': { afterLines: 2, script: never },
  'a verb': { afterLines: 2, script: never, ask: (conversation) => conversation.setModel('m') },
  'a permission question': {
    afterLines: 3,
    script: async ({ asksPermission }) => void (await asksPermission('edit', {})),
  },
  'a tool of the app': {
    afterLines: 6,
    script: async ({ callsTool }) => void (await callsTool('mcp__slow__wait', {})),
  },
  'a hook': {
    afterLines: 3,
    script: async ({ firesHook }) => void (await firesHook('Stop', { stop_hook_active: false })),
  },
};

/** An app whose callbacks never answer; `reached` resolves when one is called. */
function optionsOfAnApp(reached: () => void = () => undefined): QueryOptions {
  const callback = () => {
    reached();
    return never();
  };
  const slow = createSdkMcpServer({ name: 'slow', tools: [tool('wait', 'Waits.', {}, callback)] });
  return {
    canUseTool: callback,
    mcpServers: { slow },
    hooks: { Stop: [{ hooks: [callback], timeout: 60 }] },
    timeout: { initialize: 30, controlRequest: 30 },
  };
}

const codeOf = (error: unknown): unknown => AgentError.is(error) && error.code;

describe.each<[string, Faults['crash'], object]>([
  ['is killed', { afterLines: 0 }, { exitCode: null, signal: 'SIGKILL' }],
  ['exits', { afterLines: 0, exitCode: 3, stderrTail: 'out of luck' }, { exitCode: 3, stderrTail: 'out of luck' }],
])('a CLI that %s', (_how, crash, data) => {
  test('before it is ready ends initialize and the iteration', async () => {
    verifies('F38', 'T5', 'FB9');
    const cli = scriptedCli(never);
    const conversation = queryThrough({ crash: { ...crash, afterLines: 0 } }, { cli, options: optionsOfAnApp() });
    const failures = await Promise.all([failureOf(conversation.initialized), failureOf(collect(conversation))]);
    for (const failure of failures) expect(failure).toMatchObject({ code: 'process_exited', data });
    expect(cli.waitingCount).toBe(0);
  });

  test.each(Object.entries(WAITS))(
    'while the app waits for %s ends that wait',
    async (_wait, { afterLines, script, ask }) => {
      verifies('F38', 'T5', 'FB7', 'FB9');
      const cli = scriptedCli(script);
      const conversation = queryThrough({ crash: { ...crash, afterLines } }, { cli, options: optionsOfAnApp() });
      const asked = ask === undefined ? undefined : failureOf(ask(conversation));
      expect(await failureOf(collect(conversation))).toMatchObject({ code: 'process_exited', data });
      if (asked !== undefined) expect(await asked).toMatchObject({ code: 'process_exited', data });
      expect(cli.waitingCount).toBe(0);
    },
  );
});

test.each<[string, Faults]>([
  ['says nothing', { silentAfterLines: 0 }],
  ['hears nothing', { deafAfterLines: 0 }],
  ['never drains its pipe', { drain: never }],
  ['answers for ever too late', { delay: never }],
])('a CLI that %s from the start is a timeout', async (_name, faults) => {
  verifies('F45', 'FB7');
  const cli = scriptedCli(never);
  const conversation = queryThrough(faults, { cli, options: optionsOfAnApp() });
  const failures = await Promise.all([failureOf(conversation.initialized), failureOf(collect(conversation))]);
  expect(failures.map(codeOf)).toEqual(['timeout', 'timeout']);
  await conversation.closed;
  expect(cli.waitingCount).toBe(0);
});

describe.each<[string, (afterLines: number) => Faults]>([
  ['says nothing more', (afterLines) => ({ silentAfterLines: afterLines })],
  ['neither hears nor says more', (afterLines) => ({ silentAfterLines: afterLines, deafAfterLines: afterLines })],
])('a CLI that %s in mid-turn', (_name, faultsAfter) => {
  test.each(Object.entries(WAITS))(
    'is found out by a ping and can be left while the app waits for %s',
    async (_wait, { afterLines, script, ask }) => {
      verifies('FB6', 'FB7');
      const cli = scriptedCli(script);
      const reached = Promise.withResolvers<void>();
      const options = optionsOfAnApp(reached.resolve);
      const conversation = queryThrough(faultsAfter(afterLines), { cli, options });
      const iteration = collect(conversation);
      const asked = ask === undefined ? undefined : failureOf(ask(conversation));
      await (afterLines === 2 ? conversation.initialized : reached.promise);
      await expect(conversation.ping()).rejects.toMatchObject({ code: 'timeout' });
      await conversation.close();
      expect((await iteration).every(({ type }) => type === 'system' || type === 'assistant')).toBe(true);
      if (asked !== undefined) expect(['timeout', 'channel_closed']).toContain(codeOf(await asked));
      expect(cli.waitingCount).toBe(0);
    },
  );
});

test('a running CLI answers a ping, and the time of its last line is available', async () => {
  verifies('FB7');
  const cli = scriptedCli(never);
  const conversation = query({ prompt: silentPrompt(), options: { transport: cli.transport } });
  expect(conversation.lastActivityAt).toBeUndefined();
  const before = Date.now();
  expect(await conversation.ping()).toBeGreaterThanOrEqual(0);
  expect(conversation.lastActivityAt).toBeGreaterThanOrEqual(before);
  await conversation.close();
});
