import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { resultOf } from '../../test/programs.js';
import { AgentError, type HookOutput, type QueryHooks, query } from '../index.js';
import { type Script, scriptedCli } from '../testing/index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const CALL = { tool_name: 'edit', tool_input: { file_path: 'a' }, tool_use_id: 'toolu_1' };

async function run(hooks: QueryHooks, script: Script): Promise<string[]> {
  const lines: string[] = [];
  const { transport } = scriptedCli(script);
  await resultOf(query({ prompt: 'x', options: { hooks, transport, stderr: (line) => lines.push(line) } }));
  return lines;
}

test('matching hooks run concurrently and answer in order', async () => {
  verifies('FB5', 'M-22');
  const seen: unknown[] = [];
  const deny: HookOutput = { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'frozen' } };
  const outputs: unknown[] = [];
  await run(
    {
      PreToolUse: [
        { matcher: 'write_file', hooks: [() => ({ reason: 'never called' })] },
        {
          matcher: 'edit|read_file',
          hooks: [
            async (input, toolUseId, { signal }) => {
              seen.push([input.tool_name, input.tool_input, toolUseId, signal.aborted]);
              return deny;
            },
            () => undefined,
          ],
        },
      ],
      Stop: [{ hooks: [({ stop_hook_active: isActive }) => ({ reason: String(isActive) })] }],
    },
    async ({ firesHook }) => {
      outputs.push(await firesHook('PreToolUse', CALL), await firesHook('Stop', { stop_hook_active: true }));
    },
  );
  expect(seen).toEqual([['edit', { file_path: 'a' }, 'toolu_1', false]]);
  expect(outputs).toEqual([[deny, {}], [{ reason: 'true' }]]);
});

test.each<[string, () => unknown, string, string]>([
  [
    'throws',
    () => {
      throw new Error('policy is down');
    },
    'hook_failed',
    'policy is down',
  ],
  ['answers a text', () => 'deny', 'hook_failed', 'hook output'],
  ['answers another word', () => ({ decision: 'perhaps' }), 'hook_failed', 'hook output.decision'],
])(
  'a hook that %s is an error for the CLI, which then blocks, and is told to the app',
  async (_name, hook, code, text) => {
    verifies('FB5');
    const failures: unknown[] = [];
    const lines = await run({ PreToolUse: [{ hooks: [hook as () => HookOutput] }] }, async ({ firesHook }) => {
      failures.push(await firesHook('PreToolUse', CALL).catch((error: unknown) => error));
    });
    expect(failures).toMatchObject([{ code, message: expect.stringContaining(text) }]);
    expect(lines).toEqual([expect.stringContaining(text)]);
  },
);

test('the signal of a hook aborts after its timeout', async () => {
  verifies('FB5', 'FB4');
  const heard: unknown[] = [];
  const slow: QueryHooks = {
    Stop: [
      {
        timeout: 0.02,
        hooks: [
          (_input, _id, { signal }) =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => {
                heard.push(AgentError.is(signal.reason) && signal.reason.code);
                resolve();
              });
            }),
        ],
      },
    ],
  };
  const failures: unknown[] = [];
  await run(slow, async ({ firesHook }) => {
    failures.push(await firesHook('Stop', { stop_hook_active: false }).catch((error: unknown) => error));
  });
  expect(failures).toMatchObject([{ code: 'timeout' }]);
  expect(heard).toEqual(['cancelled']);
});

test('a hook may use the query that it belongs to', async () => {
  verifies('FB3', 'T2');
  const cli = scriptedCli(async ({ firesHook }) => void (await firesHook('Stop', { stop_hook_active: false })));
  const conversation = query({
    prompt: 'x',
    options: {
      transport: cli.transport,
      hooks: {
        Stop: [
          {
            hooks: [
              async () => {
                await conversation.setModel('another');
              },
            ],
          },
        ],
      },
    },
  });
  expect(await resultOf(conversation)).toMatchObject({ subtype: 'success' });
  expect(cli.requests.map(({ subtype }) => subtype)).toEqual(['initialize', 'set_model']);
});
