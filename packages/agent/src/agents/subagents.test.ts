import type { ModelMessage } from '@qwen/models';
import { type AgentConfig, toolResultOf } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import {
  call,
  calling,
  ofType,
  outcomes,
  results,
  runAll,
  type ScriptedAnswer,
  START,
  saying,
  tool,
} from '../../test/scripted-engine.js';
import { createAgentSession, HELPER, requestsOf, task } from '../../test/subagent-session.js';
import { foldRecords, INTERRUPTED_RESULT } from '../conversation/model-history.js';

/** A conversation as short texts. */
const told = (messages: readonly ModelMessage[] = []): string[] => messages.map((message) => JSON.stringify(message));

describe('a subagent', () => {
  test('works in a separate conversation, and its last text is the result', async () => {
    verifies('GAP-50', 'O-42', 'M-21');
    const { session, model } = createAgentSession(
      {
        go: [calling(task('t1', 'count the files')), saying('there are 3')],
        'count the files': [calling(call('s1', 'look')), saying('3 files')],
      },
      { tools: [tool('look')] },
    );
    const events = await runAll(session, 'go');
    expect(outcomes(events)).toEqual([{ type: 'success', text: 'there are 3' }]);
    expect(results(events)).toEqual([
      'look: look ran',
      'task: 3 files\n\n(helper: 2 model calls, 1 tool calls, 18 tokens, 0.0 s)',
    ]);
    const { structured } = ofType(events, 'tool_end').at(-1)?.outcome ?? {};
    expect(toolResultOf('task', { name: 'task', result: structured })).toMatchObject({
      status: 'completed',
      agentId: 't1',
      agentType: 'helper',
      prompt: 'count the files',
      content: [{ type: 'text', text: '3 files' }],
      totalToolUseCount: 1,
      totalTokens: 18,
    });
    const [inner, outer] = [requestsOf(model.requests, 'count the files'), requestsOf(model.requests, 'go')];
    expect(inner[0]?.system).toMatch(/^You help\.\n\nYou are the subagent helper, working in \/w\/app\./);
    expect(inner[0]?.tools.map(({ name }) => name)).toEqual(['look']);
    expect(inner[1]?.messages).toHaveLength(3);
    expect(told(outer[1]?.messages).join()).not.toContain('look ran');
    expect(outer[0]?.tools.find(({ name }) => name === 'task')?.description).toContain('- helper: Helps.');
  });

  test('reports and records its messages under its call', async () => {
    verifies('GAP-50', 'J-06');
    const { session, log } = createAgentSession(
      {
        go: [calling(task('t1', 'look around')), saying('done')],
        'look around': [calling(call('s1', 'look')), saying('seen')],
      },
      { tools: [tool('look')] },
    );
    const events = await runAll(session, 'go');
    const inner = events.filter((event) => 'parentToolUseId' in event && event.parentToolUseId === 't1');
    expect(inner.filter(({ type }) => !type.startsWith('block_')).map(({ type }) => type)).toEqual([
      'message_start',
      'message_end',
      'tool_pending',
      'tool_start',
      'tool_end',
      'message_start',
      'message_end',
    ]);
    // All of it before the result of the call, which a screen can show with what led to it.
    const last = inner.at(-1);
    const end = ofType(events, 'tool_end').find(({ outcome }) => outcome.name === 'task');
    expect(end?.parentToolUseId).toBeNull();
    expect(last !== undefined && end !== undefined && events.indexOf(last) < events.indexOf(end)).toBe(true);
    expect(end?.outcome.display).toEqual({
      kind: 'task',
      agent: 'helper',
      description: 'some work',
      prompt: 'look around',
      status: 'completed',
      toolCalls: [{ callId: 's1', name: 'look', status: 'success' }],
      result: 'seen',
    });
    const written = log.records.map((record) =>
      'parent_tool_use_id' in record ? `${record.type} of ${record.parent_tool_use_id}` : record.type,
    );
    expect(written).toEqual([
      'user',
      'assistant',
      'user of t1',
      'assistant of t1',
      'tool_result of t1',
      'assistant of t1',
      'tool_result',
      'assistant',
      'turn_end',
    ]);
    expect(foldRecords(log.records).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant']);
  });

  test('killed with the program leaves a call that is answered on resume', async () => {
    verifies('F97');
    const { session, log } = createAgentSession(
      {
        go: [calling(task('t1', 'work')), saying('done')],
        work: [calling(call('s1', 'look')), saying('seen')],
      },
      { tools: [tool('look')] },
    );
    await runAll(session, 'go');
    const killed = log.records.slice(0, 4);
    expect(foldRecords(killed).at(-1)).toMatchObject({
      role: 'tool',
      results: [{ callId: 't1', isError: true, content: [{ text: INTERRUPTED_RESULT }] }],
    });
  });

  test('uses its own model and temperature, or those of the session', async () => {
    verifies('O-43');
    const run = async (agent: Partial<AgentConfig>) => {
      const scripts = { go: [calling(task('t1', 'work')), saying('done')], work: [saying('ok')] };
      const { session, model } = createAgentSession(scripts, { agents: () => [{ ...HELPER, ...agent }] });
      await runAll(session, 'go');
      const [request] = requestsOf(model.requests, 'work');
      return { model: request?.model, temperature: request?.temperature, topP: request?.topP };
    };
    expect(await run({})).toEqual({ model: 'scripted', temperature: undefined, topP: undefined });
    expect(await run({ model: 'inherit' })).toMatchObject({ model: 'scripted' });
    expect(await run({ modelConfig: { model: 'small', temp: 0.1, topP: 0.9 } })).toEqual({
      model: 'small',
      temperature: 0.1,
      topP: 0.9,
    });
    expect(await run({ model: 'tiny' })).toMatchObject({ model: 'tiny' });
  });

  test('has the tools that its definition lists, by any of their names, and never the one that starts it', async () => {
    verifies('O-42', 'GAP-50');
    const session = [
      tool('read_file'),
      tool('run_shell_command', { aliases: ['Bash'] }),
      tool('ask', { isQuestion: true }),
      tool('mcp__app__add'),
      tool('mcp__app__sub'),
    ];
    const offered = async (agent: Partial<AgentConfig>) => {
      const scripts = { go: [calling(task('t1', 'work')), saying('done')], work: [saying('ok')] };
      const made = createAgentSession(scripts, { tools: session, agents: () => [{ ...HELPER, ...agent }] });
      const events = await runAll(made.session, 'go');
      const [request] = requestsOf(made.model.requests, 'work');
      return { tools: request?.tools.map(({ name }) => name), notices: ofType(events, 'notice') };
    };
    expect((await offered({})).tools).toEqual(['read_file', 'run_shell_command', 'mcp__app__add', 'mcp__app__sub']);
    expect(await offered({ tools: ['Read', 'mcp__app'], disallowedTools: ['mcp__app__sub'] })).toEqual({
      tools: ['read_file', 'mcp__app__add'],
      notices: [],
    });
    expect(await offered({ tools: ['Bash', 'task', 'Bash(git *)', 'Teleport'] })).toMatchObject({
      tools: ['run_shell_command'],
      notices: [
        { code: 'unknown_agent_tool', message: expect.stringContaining('Bash(git *)') },
        { code: 'unknown_agent_tool', message: expect.stringContaining('Teleport') },
      ],
    });
    expect((await offered({ tools: [] })).tools).toEqual([]);
    expect(await offered({ disallowedTools: ['Bash(rm *)', 'mcp__app', 'raed_file', 'Teleport'] })).toMatchObject({
      tools: ['read_file'],
      notices: [
        { code: 'unknown_agent_tool', message: expect.stringContaining('Did you mean read_file?') },
        { code: 'unknown_agent_tool', message: expect.stringContaining('Bash(rm *) is a rule') },
      ],
    });
  });

  test('has no tool equivalent to one that its definition forbids', async () => {
    const session = [tool('read_file'), tool('read_many_files'), tool('glob')];
    const scripts = { go: [calling(task('t1', 'work')), saying('done')], work: [saying('ok')] };
    const agent = { ...HELPER, disallowedTools: ['Read'] };
    const made = createAgentSession(scripts, { tools: session, agents: () => [agent] });
    await runAll(made.session, 'go');
    expect(requestsOf(made.model.requests, 'work')[0]?.tools.map(({ name }) => name)).toEqual(['glob']);
  });

  test('that does not exist is reported in the result, and the turn continues', async () => {
    const { session } = createAgentSession({ go: [calling(task('t1', 'work', 'nobody')), saying('done')] });
    const events = await runAll(session, 'go');
    expect(results(events)[0]).toBe(
      'task: There is no subagent named nobody. The subagents are: helper, general-purpose, explore, plan.',
    );
    expect(outcomes(events)).toMatchObject([{ type: 'success' }]);
  });

  test('of the general kind always exists, with the prompt of the session', async () => {
    const scripts = {
      go: [calling(call('t1', 'task', { description: 'x', prompt: 'work' })), saying('done')],
      work: [saying('ok')],
    };
    const { session, model } = createAgentSession(scripts, { agents: () => [] });
    expect(results(await runAll(session, 'go'))[0]).toMatch(/^task: ok\n\n\(general-purpose: /);
    expect(requestsOf(model.requests, 'work')[0]?.system).toMatch(/^system\n\n/);
  });

  test('defined twice is the first of the two', async () => {
    verifies('GAP-50');
    const agents = () => [HELPER, { ...HELPER, systemPrompt: 'From a file.' }];
    const scripts = { go: [calling(task('t1', 'work')), saying('done')], work: [saying('ok')] };
    const { session, model } = createAgentSession(scripts, { agents });
    await runAll(session, 'go');
    expect(requestsOf(model.requests, 'work')[0]?.system).toMatch(/^You help\./);
  });
});

describe('several subagents', () => {
  test('work in parallel, each under its own call', async () => {
    verifies('GAP-50');
    let working = 0;
    const all = Promise.withResolvers<void>();
    const meet = tool('meet', {
      execute: async () => {
        working += 1;
        if (working === 3) all.resolve();
        await all.promise;
        return { content: 'met' };
      },
    });
    const { session } = createAgentSession(
      {
        go: [calling(task('t1', 'one'), task('t2', 'two'), task('t3', 'three')), saying('done')],
        one: [calling(call('same', 'meet')), saying('1')],
        two: [calling(call('same', 'meet')), saying('2')],
        three: [calling(call('same', 'meet')), saying('3')],
      },
      { tools: [meet] },
    );
    const events = await runAll(session, 'go');
    const ends = ofType(events, 'tool_end').filter(({ outcome }) => outcome.name === 'task');
    expect(ends.map(({ outcome }) => outcome)).toMatchObject([
      { callId: 't1', content: expect.stringMatching(/^1\n/) },
      { callId: 't2', content: expect.stringMatching(/^2\n/) },
      { callId: 't3', content: expect.stringMatching(/^3\n/) },
    ]);
    const starts = ofType(events, 'tool_start').filter(({ name }) => name === 'meet');
    expect(new Set(starts.map(({ parentToolUseId }) => parentToolUseId))).toEqual(new Set(['t1', 't2', 't3']));
    expect(new Set(starts.map(({ callId }) => callId)).size).toBe(3);
  });

  test('add their cost to the prompt, which still counts its own model calls', async () => {
    const { session } = createAgentSession({
      go: [calling(task('t1', 'one'), task('t2', 'two')), saying('done')],
      one: [saying('1')],
      two: [saying('2')],
    });
    const [end] = ofType(await runAll(session, 'go'), 'turn_end');
    expect(end).toMatchObject({ modelCalls: 2, usage: { input_tokens: 35, output_tokens: 7 } });
  });
});

test('a slow reader slows down a subagent like its agent', async () => {
  let given = 0;
  const chatty: ScriptedAnswer = async function* chat() {
    yield START;
    for (let index = 0; index < 1000; index += 1) {
      given += 1;
      yield { type: 'text_delta', text: 'x' };
    }
    yield { type: 'finish', reason: 'stop', usage: { input_tokens: 1, output_tokens: 1 } };
  };
  const { session } = createAgentSession({ go: [calling(task('t1', 'work')), saying('done')], work: [chatty] });
  session.submit({ uuid: 'u', content: 'go' });
  session.endInput();
  let read = 0;
  for await (const event of session.events()) {
    if (event.type !== 'block_delta' || event.parentToolUseId === null) continue;
    read += 1;
    if (read > 3) continue;
    // A reader that takes its time: the subagent has every chance to run ahead.
    for (let round = 0; round < 5; round += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(given - read).toBeLessThan(5);
  }
  expect(read).toBe(1000);
});
