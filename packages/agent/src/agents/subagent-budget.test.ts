import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { call, calling, hanging, ofType, outcomes, runAll, START, saying, tool } from '../../test/scripted-engine.js';
import { createAgentSession, task } from '../../test/subagent-session.js';

const tools = [tool('look')];

test('the usage of a subagent counts for its prompt and is limited with it', async () => {
  verifies('F79');
  const { session, model } = createAgentSession(
    { go: [calling(task('t', 'dig'))], dig: [calling(call('a', 'look'))] },
    { tools, budget: { turns: 4 } },
  );
  const events = await runAll(session, 'go');
  expect(outcomes(events)).toEqual([{ type: 'budget', limit: 'turns' }]);
  expect(model.requests).toHaveLength(4);
  expect(ofType(events, 'turn_end')).toMatchObject([{ budgetRemaining: { turns: 0 } }]);
});

test('the time limit of the prompt stops a hanging subagent and is reported', async () => {
  verifies('F70');
  const { session, model } = createAgentSession(
    { go: [calling(task('t', 'dig'))], dig: [hanging(START)] },
    { budget: { wallMs: 30 } },
  );
  expect(outcomes(await runAll(session, 'go'))).toEqual([{ type: 'budget', limit: 'wallMs' }]);
  expect(model.requests).toHaveLength(2);
});

test('the output comes from the main agent, never from its subagents', async () => {
  const output = { schema: { type: 'object' }, problemsOf: () => [] };
  const { session, model } = createAgentSession(
    { go: [calling(task('t', 'dig')), calling(call('o', 'structured_output', { n: 1 }))], dig: [saying('dug')] },
    { tools, output },
  );
  expect(outcomes(await runAll(session, 'go'))).toMatchObject([{ type: 'success', structured: { n: 1 } }]);
  const offered = model.requests.map((request) => request.tools.some(({ name }) => name === 'structured_output'));
  expect(offered).toEqual([true, false, true]);
});

test('reports retries and the budget of a subagent under its call', async () => {
  const error = new AgentError('rate_limited', 'slow down');
  const { session } = createAgentSession(
    {
      go: [calling(task('t', 'dig')), saying('done')],
      dig: [[{ type: 'retry', attempt: 1, delayMs: 1, error }, ...saying('dug')]],
    },
    { budget: { turns: 9 } },
  );
  const events = await runAll(session, 'go');
  expect(ofType(events, 'retry')).toMatchObject([{ parentToolUseId: 't' }]);
  expect(ofType(events, 'budget').map(({ parentToolUseId }) => parentToolUseId)).toEqual([null, 't', null]);
});
