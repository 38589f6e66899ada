import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import {
  call,
  calling,
  hanging,
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
import { foldRecords } from '../conversation/model-history.js';

describe('limits and failures', () => {
  test('model calls', async () => {
    verifies('O-44', 'GAP-50');
    const agents = () => [{ ...HELPER, runConfig: { maxTurns: 2 } }];
    const scripts = {
      go: [calling(task('t1', 'work')), saying('done')],
      work: [
        calling(call('s', 'look')),
        [START, { type: 'text_delta' as const, text: 'half' }, ...calling(call('s', 'look')).slice(1)],
      ],
    };
    const { session, model } = createAgentSession(scripts, { agents, tools: [tool('look')] });
    const events = await runAll(session, 'go');
    expect(requestsOf(model.requests, 'work')).toHaveLength(2);
    expect(results(events).at(-1)).toMatch(
      /^task: The subagent used up its 2 model calls \(runConfig\.maxTurns\) before it was done\. It said last:\nhalf\n/,
    );
    expect(ofType(events, 'tool_end').at(-1)?.outcome.isError).toBe(true);
    expect(outcomes(events)).toMatchObject([{ type: 'success', text: 'done' }]);
  });

  test('time, which stops running work', async () => {
    verifies('O-44', 'GAP-50');
    const agents = () => [{ ...HELPER, runConfig: { maxTimeMinutes: 0.0005 } }];
    const stopped = Promise.withResolvers<void>();
    const endless = tool('endless', {
      execute: (_input, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped.resolve();
            resolve({ content: 'part' });
          });
        }),
    });
    const { session } = createAgentSession(
      {
        go: [calling(task('t1', 'work')), saying('done')],
        work: [calling(call('s', 'endless')), saying('never')],
      },
      { agents, tools: [endless] },
    );
    const events = await runAll(session, 'go');
    await stopped.promise;
    expect(results(events).at(-1)).toContain(
      'used up its 0.0005 minutes (runConfig.maxTimeMinutes) before it was done',
    );
    expect(outcomes(events)).toMatchObject([{ type: 'success', text: 'done' }]);
  });

  test('a failure of its model is a result', async () => {
    const failing: ScriptedAnswer = [{ type: 'failure', error: new AgentError('model_not_found', 'no such model') }];
    const { session } = createAgentSession({ go: [calling(task('t1', 'work')), saying('done')], work: [failing] });
    const events = await runAll(session, 'go');
    expect(results(events)[0]).toMatch(/^task: The subagent failed: no such model \(model_not_found\)\./);
    expect(outcomes(events)).toMatchObject([{ type: 'success', text: 'done' }]);
  });

  test('a silent stop is not a report', async () => {
    const { session } = createAgentSession({ go: [calling(task('t1', 'work')), saying('done')], work: [saying('')] });
    const [end] = ofType(await runAll(session, 'go'), 'tool_end');
    expect(end?.outcome).toMatchObject({ isError: true, content: expect.stringContaining('empty answer') });
  });

  test('an interrupt stops it immediately', async () => {
    verifies('GAP-46', 'GAP-50');
    const { session, log } = createAgentSession({
      go: [calling(task('t1', 'one'), task('t2', 'two'))],
      one: [hanging(START)],
      two: [hanging(START)],
    });
    session.submit({ uuid: 'u', content: 'go' });
    session.endInput();
    const events = [];
    let started = 0;
    for await (const event of session.events()) {
      events.push(event);
      if (event.type === 'message_start' && event.parentToolUseId !== null) started += 1;
      if (started === 2) session.interrupt({ by: 'user', reason: 'stop' });
    }
    expect(outcomes(events)).toMatchObject([{ type: 'interrupted', by: 'user' }]);
    expect(results(events).every((result) => result.startsWith('task: Interrupted: the subagent was stopped'))).toBe(
      true,
    );
    expect(foldRecords(log.records).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  test('a tool that does not stop is abandoned before its caller is', async () => {
    verifies('F49');
    const running = Promise.withResolvers<void>();
    const stubborn = tool('stubborn', {
      execute: () => {
        running.resolve();
        return new Promise(() => {});
      },
    });
    const scripts = { go: [calling(task('t1', 'work'))], work: [calling(call('s', 'stubborn'))] };
    const { session } = createAgentSession(scripts, { tools: [stubborn] });
    const reading = runAll(session, 'go');
    await running.promise;
    session.interrupt({ by: 'user', reason: 'stop' });
    const events = await reading;
    expect(ofType(events, 'notice').map(({ message }) => message)).toEqual([
      'The tool stubborn did not stop after the interrupt; its result is dropped.',
    ]);
    expect(results(events).at(-1)).toContain('task: Interrupted: the subagent was stopped before it was done.');
  });

  test('a reader that leaves ends it too', async () => {
    const { session } = createAgentSession({ go: [calling(task('t1', 'work'))], work: [hanging(START)] });
    session.submit({ uuid: 'u', content: 'go' });
    for await (const event of session.events()) {
      if (event.type === 'message_start' && event.parentToolUseId === 't1') break;
    }
    expect(session.interrupt({ by: 'user', reason: 'is anything left?' })).toBe(false);
  });
});
