import type { HookInput, QueryHooks, QueryOptions, SDKUserMessage } from '@qwen/sdk';
import { calls, lastText, type ScriptedReply, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, openFixture, results, userMessage } from '../spine/fixture.ts';

const write: ScriptedReply = calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } });
const repeat: ScriptedReply = (request) => says(lastText(request));

/** The answer of a PermissionRequest hook. */
const decides = (decision: unknown) => () => ({ hookSpecificOutput: { decision } }) as never;

async function runWith(hooks: QueryHooks, options: QueryOptions = {}) {
  await using fixture = await openFixture([write, repeat]);
  const asked: string[] = [];
  const canUseTool: QueryOptions['canUseTool'] = (name) => {
    asked.push(name);
    return { behavior: 'deny', message: 'the user declined' };
  };
  const [result] = results(await collect(fixture.query('go', { hooks, canUseTool, ...options })));
  const text = await fixture.workspace.read('a.txt').catch(() => undefined);
  return { asked, text, result };
}

test('a PermissionRequest hook allows a call instead of the user, also with changed input', async () => {
  const inputs: HookInput[] = [];
  const updatedInput = { file_path: 'a.txt', content: 'changed' };
  const allow = decides({ behavior: 'allow', updatedInput });
  const hook = (input: HookInput) => {
    inputs.push(input);
    return allow();
  };
  const { asked, text } = await runWith({ PermissionRequest: [{ matcher: 'Write', hooks: [hook] }] });
  expect(text).toBe('changed');
  expect(asked).toEqual([]);
  expect(inputs).toMatchObject([
    {
      tool_name: 'Write',
      canonical_tool_name: 'write_file',
      reason: expect.any(String),
      permission_suggestions: expect.arrayContaining([expect.objectContaining({ type: 'allow' })]),
    },
  ]);
});

test('a PermissionRequest hook denies, and may end the turn', async () => {
  const denying = decides({ behavior: 'deny', message: 'not today' });
  const { asked, text, result } = await runWith({ PermissionRequest: [{ hooks: [denying] }] });
  expect({ asked, text }).toEqual({ asked: [], text: undefined });
  expect(result).toMatchObject({ result: expect.stringContaining('not today'), permission_denials: [{}] });
  const ending = decides({ behavior: 'deny', message: 'enough', interrupt: true });
  const ended = await runWith({ PermissionRequest: [{ hooks: [ending] }] });
  expect(ended.result).toMatchObject({ subtype: 'interrupted' });
});

const allowing = decides({ behavior: 'allow' });
const fail = () => Promise.reject(new Error('the policy service is down'));

test.each<[string, QueryHooks['PermissionRequest']]>([
  ['says nothing', [{ hooks: [() => undefined] }]],
  ['throws, next to one that allows', [{ hooks: [allowing, fail] }]],
  ['answers in the words of other events', [{ hooks: [allowing, () => ({ decision: 'approve' })] }]],
  ['allows with a member that belongs to a deny', [{ hooks: [decides({ behavior: 'allow', message: 'x' })] }]],
  ['has updates that do not fit', [{ hooks: [decides({ behavior: 'allow', updatedPermissions: [{ type: 'x' }] })] }]],
  ['does not decide', [{ hooks: [decides({ behavior: 'maybe' })] }]],
  ['takes too long', [{ hooks: [() => new Promise<never>(() => undefined)], timeout: 0.05 }]],
])('the user is asked if a PermissionRequest hook %s', async (_name, matchers) => {
  const { asked, text } = await runWith({ PermissionRequest: matchers });
  expect({ asked, text }).toEqual({ asked: ['write_file'], text: undefined });
});

test('a failing PermissionRequest hook that blocks denies the call; a deny rule overrides an allow', async () => {
  const failed = await runWith({ PermissionRequest: [{ hooks: [fail], blocking: true }] });
  expect({ asked: failed.asked, text: failed.text }).toEqual({ asked: [], text: undefined });
  const ruled = await runWith({ PermissionRequest: [{ hooks: [allowing] }] }, { excludeTools: ['write_file'] });
  expect(ruled.text).toBeUndefined();
});

test('PostToolUseFailure runs for failed calls only, and its context reaches the model', async () => {
  await using fixture = await openFixture([
    calls(
      { name: 'read_file', input: { file_path: 'there.txt' }, id: 'call_1' },
      { name: 'read_file', input: { file_path: 'missing.txt' }, id: 'call_2' },
    ),
    repeat,
  ]);
  await fixture.workspace.write('there.txt', 'here');
  const inputs: HookInput[] = [];
  const hook = (input: HookInput) => {
    inputs.push(input);
    return { hookSpecificOutput: { additionalContext: 'look in docs/' } };
  };
  const [result] = results(await collect(fixture.query('go', { hooks: { PostToolUseFailure: [{ hooks: [hook] }] } })));
  expect(inputs).toMatchObject([{ tool_use_id: 'call_2', error: expect.stringContaining('missing.txt') }]);
  expect(result).toMatchObject({ result: expect.stringContaining('look in docs/') });
});

test('SubagentStart receives the task and can add to it', async () => {
  const task = { description: 'review', prompt: 'Review it.', subagent_type: 'reviewer' };
  await using fixture = await openFixture([calls({ name: 'task', input: task, id: 'task_1' }), repeat, says('done')]);
  const inputs: HookInput[] = [];
  const hook = (input: HookInput) => {
    inputs.push(input);
    return { hookSpecificOutput: { additionalContext: 'Be brief.' } };
  };
  const agents = [{ name: 'reviewer', description: 'Reviews.', systemPrompt: 'You review.' }];
  const hooks: QueryHooks = { SubagentStart: [{ matcher: 'reviewer', hooks: [hook] }] };
  await collect(fixture.query('go', { hooks, agents }));
  expect(inputs).toMatchObject([
    {
      agent: 'reviewer',
      agent_type: 'reviewer',
      parent_tool_use_id: 'task_1',
      agent_id: 'task_1',
      prompt: 'Review it.',
    },
  ]);
  expect(JSON.stringify(fixture.model.requests[1]?.messages)).toContain('Be brief.');
});

/** A prompt that others may follow. */
async function* endlessly(content: string): AsyncGenerator<SDKUserMessage> {
  yield userMessage(content);
  await new Promise(() => undefined);
}

test.each(['the last answer', 'close()', 'a loop that is left'])('SessionEnd reaches a callback at %s', async (way) => {
  await using fixture = await openFixture([says('hi')]);
  const reasons: string[] = [];
  const hooks: QueryHooks = { SessionEnd: [{ hooks: [({ reason }) => void reasons.push(reason)] }] };
  const prompt = way === 'the last answer' ? 'go' : endlessly('go');
  const conversation = fixture.query(prompt, { hooks });
  if (way === 'the last answer') {
    const messages = await collect(conversation);
    expect(messages.filter(({ type }) => type === 'result')).toHaveLength(1);
  } else {
    for await (const message of conversation) {
      if (message.type !== 'result' && message.type !== 'assistant') continue;
      if (way === 'close()') await conversation.close();
      break;
    }
  }
  expect(reasons).toEqual([way === 'the last answer' ? 'prompt_input_exit' : 'other']);
  expect(await conversation.closed).toMatchObject({ exitCode: 0 });
});
