import type { AgentEvent } from '@qwen/agent';
import { AgentError, MAX_QUEUED_PROMPTS, NO_USAGE } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { hangs, namedTool, type Reply, replies, type ScriptedAgent, scriptAgent } from '../test/scripted-session.js';
import { AgentHost } from './agent-host.js';
import type { AgentHostOptions, SessionStart } from './agent-host-options.js';

const START: SessionStart = { model: 'first', permissionMode: 'default' };
const prompt = (uuid: string) => ({ uuid, content: uuid });

function createHost(agent: ScriptedAgent, options: Partial<AgentHostOptions> = {}) {
  const events: AgentEvent[] = [];
  const seen = Promise.withResolvers<void>();
  const host = new AgentHost({
    sessionId: '6b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a11',
    start: START,
    prepare: async () => (start) => agent.create(start),
    toolNames: ['read_file'],
    moreTools: () => [],
    readRecords: async () => {},
    viewRules: async () => ({ texts: { allow: [], ask: [], deny: [] }, hides: () => false }),
    explain: async () => ({
      behavior: 'ask',
      decidedBy: 'default',
      reason: 'x',
      blockedPath: null,
      shadowed: [],
      parts: [],
    }),
    compileOutput: async (schema) => ({ schema, problemsOf: () => [] }),
    publish: async (event) => {
      events.push(event);
      if (event.type === 'turn_end') seen.resolve();
    },
    ...options,
  });
  const outcomes = () => events.flatMap((event) => (event.type === 'turn_end' ? [event.outcome.type] : []));
  return { host, events, outcomes, firstTurnEnded: seen.promise };
}

const busy = () => new AgentError('session_busy', 'Another process writes this session.');

test('prompts are answered in order before the session ends', async () => {
  const { host, outcomes } = createHost(scriptAgent([replies('one'), replies('two')]));
  host.submit(prompt('a'));
  host.submit(prompt('b'));
  host.endInput();
  await host.done;
  expect(outcomes()).toEqual(['success', 'success']);
});

test('without a prompt no session is opened', async () => {
  const { host, events } = createHost(scriptAgent([]), { prepare: () => Promise.reject(new Error('opened')) });
  host.endInput();
  await host.done;
  expect(events).toEqual([]);
});

test('a session that cannot be opened answers every prompt with its error, then ends', async () => {
  verifies('FB9');
  const { host, events, firstTurnEnded } = createHost(scriptAgent([]), { prepare: () => Promise.reject(busy()) });
  host.submit(prompt('a'));
  await firstTurnEnded;
  host.submit(prompt('b'));
  host.submit(prompt('c'));
  host.endInput();
  await host.done;
  expect(events.map(({ type }) => type)).toEqual(['a', 'b', 'c'].flatMap(() => ['turn_start', 'turn_end']));
  expect(events.at(-1)).toMatchObject({ turnId: 'c', outcome: { type: 'error', error: { code: 'session_busy' } } });
});

test('prompts to a session that cannot be opened are answered separately, however slow the reader', async () => {
  const order: string[] = [];
  const publish = async (event: AgentEvent) => {
    await Promise.resolve();
    order.push(event.type);
  };
  const { host } = createHost(scriptAgent([]), { prepare: () => Promise.reject(busy()), publish });
  for (const id of ['a', 'b', 'c']) host.submit(prompt(id));
  host.endInput();
  await host.done;
  expect(order).toEqual(['a', 'b', 'c'].flatMap(() => ['turn_start', 'turn_end']));
});

test.each(['turn_start', 'block_delta'] as const)(
  'a session with a %s that cannot be published ends each turn with that error, and frees its file',
  async (broken) => {
    const agent = scriptAgent([replies('one'), replies('two')]);
    const published: AgentEvent[] = [];
    const publish = async (event: AgentEvent) => {
      if (event.type === broken) throw new AgentError('internal', 'The facts cannot be read.');
      published.push(event);
    };
    const { host } = createHost(agent, { publish });
    for (const id of ['a', 'b']) host.submit(prompt(id));
    host.endInput();
    await host.done;
    const ends = published.filter(({ type }) => type === 'turn_end');
    expect(ends).toMatchObject(
      ['a', 'b'].map((turnId) => ({ turnId, outcome: { type: 'error', error: { code: 'internal' } } })),
    );
    expect(host.isIdle).toBe(true);
    expect(agent.closedLogs).toBe(1);
  },
);

test('an interrupt before the first turn starts stops only that turn', async () => {
  verifies('F50');
  const { host, outcomes } = createHost(scriptAgent([replies('b')]));
  host.submit(prompt('a'));
  host.submit(prompt('b'));
  expect(host.interrupt()).toBe(true);
  host.endInput();
  await host.done;
  expect(outcomes()).toEqual(['interrupted', 'success']);
});

test('an idle interrupt does not affect the next turn', async () => {
  verifies('F50', 'M-23');
  const { host, outcomes, firstTurnEnded } = createHost(scriptAgent([replies('ok')]));
  expect(host.interrupt()).toBe(false);
  host.submit(prompt('a'));
  await firstTurnEnded;
  expect(host.interrupt()).toBe(false);
  host.submit(prompt('b'));
  host.endInput();
  await host.done;
  expect(outcomes()).toEqual(['success', 'success']);
});

test('changes made while the session is prepared apply when it opens', async () => {
  verifies('M-57', 'S27');
  const agent = scriptAgent([replies('ok')]);
  const gate = Promise.withResolvers<void>();
  const opened: SessionStart[] = [];
  const { host } = createHost(agent, {
    prepare: async () => {
      await gate.promise;
      return (start) => {
        opened.push(start);
        return agent.create(start);
      };
    },
  });
  host.submit(prompt('a'));
  expect(await host.setModel('second')).toBe('second');
  host.setPermissionMode('plan');
  expect(host.setOverrides({ systemPrompt: 'Be brief.' })).toBe(true);
  gate.resolve();
  host.endInput();
  await host.done;
  expect(opened).toEqual([{ model: 'second', permissionMode: 'plan', systemPrompt: 'Be brief.' }]);
  expect(agent.requests[0]).toMatchObject({ model: 'second', system: 'Be brief.' });
});

test('changes of model and mode apply immediately and emit events; null restores the initial model', async () => {
  verifies('M-30', 'CF-43');
  const agent = scriptAgent([replies('ok')], { brokenModels: ['broken'] });
  const { host, events, firstTurnEnded } = createHost(agent);
  await host.setModel('early');
  expect([host.model, events]).toEqual(['early', [{ type: 'model_changed', model: 'early' }]]);
  host.submit(prompt('a'));
  await firstTurnEnded;
  expect(host.setOverrides({ systemPrompt: 'late' })).toBe(false);
  await expect(host.setModel('broken')).rejects.toThrow('no model broken');
  expect(host.model).toBe('early');
  expect(await host.setModel(null)).toBe('first');
  host.setPermissionMode('yolo');
  host.endInput();
  await host.done;
  expect(host.permissionMode).toBe('yolo');
  expect(events.slice(-2)).toEqual([
    { type: 'model_changed', model: 'first' },
    { type: 'permission_mode_changed', mode: 'yolo' },
  ]);
});

test('prompts after the end of input and beyond the limit are refused', () => {
  verifies('GAP-09');
  const { host } = createHost(scriptAgent([hangs]));
  for (let count = 0; count < MAX_QUEUED_PROMPTS; count += 1) host.submit(prompt(`${count}`));
  expect(() => host.submit(prompt('more'))).toThrow(expect.objectContaining({ code: 'overloaded' }));
  host.endInput();
  expect(() => host.submit(prompt('late'))).toThrow(expect.objectContaining({ code: 'channel_closed' }));
});

test('closing while the session is being prepared closes it and ends', async () => {
  const agent = scriptAgent([hangs]);
  const gate = Promise.withResolvers<void>();
  const { host, outcomes } = createHost(agent, {
    prepare: async () => {
      await gate.promise;
      return (start) => agent.create(start);
    },
  });
  host.submit(prompt('a'));
  const closed = host.close();
  gate.resolve();
  await closed;
  expect(outcomes()).toEqual([]);
  expect(agent.closedLogs).toBe(1);
});

test('closing stops the running turn', async () => {
  const turnStarted = Promise.withResolvers<void>();
  const types: string[] = [];
  const { host } = createHost(scriptAgent([hangs]), {
    publish: async ({ type }) => {
      types.push(type);
      if (type === 'message_start') turnStarted.resolve();
    },
  });
  host.submit(prompt('a'));
  await turnStarted.promise;
  await host.close();
  expect(types.at(-1)).toBe('turn_end');
});

test('a running turn takes a steering message, unless it is a command, withdrawn or too late', async () => {
  const started = Promise.withResolvers<void>();
  const finishes = Promise.withResolvers<void>();
  const call: Reply = async function* answer() {
    yield { type: 'start' };
    started.resolve();
    await finishes.promise;
    yield { type: 'tool_call_end', id: 'c', name: 'own', input: {} };
    yield { type: 'finish', reason: 'tool_calls', usage: NO_USAGE };
  };
  const agent = scriptAgent([call, replies('ok')], { tools: [namedTool('own')] });
  const { host, firstTurnEnded } = createHost(agent);
  const steer = (content: string, { signal } = new AbortController()) =>
    host.steer({ uuid: content, content, priority: 'next' }, signal);
  expect(await steer('early')).toBe(false);
  host.submit(prompt('a'));
  await started.promise;
  const withdrawal = new AbortController();
  const withdrawn = steer('withdrawn', withdrawal);
  const taken = steer('left');
  expect(await steer('/help')).toBe(false);
  withdrawal.abort();
  expect(await withdrawn).toBe(false);
  finishes.resolve();
  expect(await taken).toBe(true);
  await firstTurnEnded;
  const read = JSON.stringify(agent.requests.at(-1)?.messages);
  expect(read).toContain('left');
  expect(read).not.toContain('withdrawn');
  await host.close();
});

test('added tools join those of the session and remove none', async () => {
  const { promise: firstTurn, resolve } = Promise.withResolvers<void>();
  const agent = scriptAgent([replies('ok')], { tools: [namedTool('own')] });
  const more = [namedTool('mcp__app__early')];
  const { host } = createHost(agent, {
    moreTools: () => more,
    publish: async ({ type }) => (type === 'turn_end' ? resolve() : undefined),
  });
  expect(host.toolNames).toEqual(['read_file']);
  host.submit(prompt('a'));
  await firstTurn;
  expect(host.toolNames).toEqual(['own', 'mcp__app__early']);
  more.push(namedTool('mcp__app__late'));
  host.refreshTools();
  host.submit(prompt('b'));
  host.endInput();
  await host.done;
  expect(agent.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([
    ['own', 'mcp__app__early'],
    ['own', 'mcp__app__early', 'mcp__app__late'],
  ]);
});

const cut: Reply = function* answer() {
  yield { type: 'failure', error: new AgentError('provider_error', 'down') };
};

test('an unfinished turn is continued; a session without history has none', async () => {
  const { host, outcomes, firstTurnEnded } = createHost(scriptAgent([cut, replies('done')]));
  expect(await host.continueLastTurn()).toEqual({ refused: 'This session has no messages yet.' });
  host.submit(prompt('a'));
  await firstTurnEnded;
  expect(await host.continueLastTurn()).toEqual({});
  expect(host.isIdle).toBe(false);
  host.endInput();
  await host.done;
  expect(outcomes()).toEqual(['error', 'success']);
  await expect(host.continueLastTurn()).rejects.toMatchObject({ code: 'channel_closed' });
});

test('a session with history is opened on demand and closed like any other', async () => {
  const agent = scriptAgent([]);
  const { host, events } = createHost(agent, { resumes: true });
  expect(await host.contextUsage()).toMatchObject({ isEstimated: true });
  expect(await host.usage()).toMatchObject({ turns: 0 });
  expect(await host.continueLastTurn()).toEqual({ refused: 'The last turn is complete.' });
  await host.close();
  expect([agent.closedLogs, events]).toEqual([1, []]);
});

test('setting a title opens a session with history; a new one has nothing to rename', async () => {
  const agent = scriptAgent([replies('ok')]);
  const { host, outcomes } = createHost(agent, { resumes: true });
  const named = host.rename('Mine');
  host.submit(prompt('a'));
  expect(await named).toBe(true);
  host.endInput();
  await host.done;
  expect(outcomes()).toEqual(['success']);
  expect(await createHost(scriptAgent([])).host.rename('Mine')).toBe(false);
});

test('an unreadable history fails each request that needs it and each prompt', async () => {
  const { host, outcomes } = createHost(scriptAgent([]), { resumes: true, prepare: () => Promise.reject(busy()) });
  await expect(host.contextUsage()).rejects.toMatchObject({ code: 'session_busy' });
  host.submit(prompt('a'));
  host.endInput();
  await host.done;
  expect(outcomes()).toEqual(['error']);
});

test('an output schema applies to the session that opens; an invalid schema prevents it from opening', async () => {
  const opened: SessionStart[] = [];
  const agent = scriptAgent([replies('ok')]);
  const { host } = createHost(agent, {
    outputSchema: { type: 'string' },
    prepare: async () => (start) => {
      opened.push(start);
      return agent.create(start);
    },
  });
  await host.setOutputSchema({ type: 'object' });
  host.submit(prompt('a'));
  host.endInput();
  await host.done;
  expect(opened).toMatchObject([{ output: { schema: { type: 'object' } } }]);
  await expect(host.setOutputSchema({})).rejects.toMatchObject({ code: 'invalid_payload' });

  const refused = createHost(scriptAgent([replies('never')]), {
    compileOutput: () => Promise.reject(new AgentError('invalid_payload', 'outputSchema: no')),
    prepare: () => Promise.reject(new Error('the session file would be locked')),
  });
  await expect(refused.host.setOutputSchema({})).rejects.toMatchObject({ code: 'invalid_payload' });
  refused.host.submit(prompt('a'));
  refused.host.endInput();
  await refused.host.done;
  expect(refused.events.at(-1)).toMatchObject({ outcome: { type: 'error', error: { code: 'invalid_payload' } } });
});

test('budgets of flags and of the app are merged, and the app takes precedence', async () => {
  const opened: SessionStart[] = [];
  const agent = scriptAgent([replies('ok')]);
  const { host } = createHost(agent, {
    start: { ...START, budget: { turns: 5, toolCalls: 5 }, effort: 'low' },
    prepare: async () => (start) => {
      opened.push(start);
      return agent.create(start);
    },
  });
  host.setOverrides({ budget: { turns: 2 } });
  host.setEffort(undefined);
  host.submit(prompt('a'));
  host.endInput();
  await host.done;
  expect(opened).toEqual([{ ...START, budget: { turns: 2, toolCalls: 5 } }]);
});

test('an interruption is remembered until the next turn', async () => {
  verifies('M-26');
  const { host, firstTurnEnded } = createHost(scriptAgent([replies('ok')]));
  host.submit(prompt('a'));
  expect(host.isInterrupted).toBe(false);
  host.interrupt();
  await firstTurnEnded;
  expect(host.isInterrupted).toBe(true);
  host.submit(prompt('b'));
  host.endInput();
  await host.done;
  expect(host.isInterrupted).toBe(false);
});
