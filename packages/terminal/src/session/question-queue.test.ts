import type { PermissionRequest } from '@qwen/agent';
import { expect, test } from 'vitest';
import { firstState } from '../state/terminal-state.js';
import { TerminalStore } from '../state/terminal-store.js';
import { QuestionQueue } from './question-queue.js';

const REQUEST: PermissionRequest = {
  toolName: 'run_shell_command',
  callId: 'c1',
  input: { command: 'rm x' },
  suggestions: [],
  blockedPath: null,
  reason: 'Changes files.',
  preview: { type: 'exec', command: 'rm x', rootCommand: 'rm' },
};

function openQueue() {
  const store = new TerminalStore(firstState({ model: 'm', permissionMode: 'default' }));
  const questions = new QuestionQueue(store);
  const ask = (callId: string, signal = new AbortController().signal) =>
    questions.ask({ ...REQUEST, callId }, { signal });
  const shown = () => {
    const { question } = store.getState();
    if (question?.kind !== 'permission') throw new Error('no permission is asked for');
    return question;
  };
  return { store, questions, ask, shown };
}

test('queues questions of MCP servers and withdraws them when the turn ends', async () => {
  const { store, questions, ask, shown } = openQueue();
  const { signal } = new AbortController();
  const elicitation = { message: 'Who?', requested_schema: {} };
  const elicit = questions.elicitFor('curious');
  const first = elicit(elicitation, { signal });
  const second = ask('c1');
  const third = elicit(elicitation, { signal });
  expect(store.getState().question).toMatchObject({ kind: 'elicitation', serverName: 'curious', elicitation });
  questions.endElicitations();
  expect(await Promise.all([first, third])).toEqual([{ action: 'cancel' }, { action: 'cancel' }]);
  shown().answer({ behavior: 'allow' });
  expect(await second).toEqual({ behavior: 'allow' });
  expect(store.getState()).not.toHaveProperty('question');
});

test('asks questions one at a time and accepts one answer each', async () => {
  const { store, ask, shown } = openQueue();
  const [first, second] = [ask('c1'), ask('c2')];
  expect(shown()).toMatchObject({ request: { callId: 'c1' }, waiting: 1 });
  const { answer } = shown();
  answer({ behavior: 'allow' });
  answer({ behavior: 'deny', message: 'too late' });
  expect(await first).toEqual({ behavior: 'allow' });
  expect(shown()).toMatchObject({ request: { callId: 'c2' }, waiting: 0 });
  shown().answer({ behavior: 'deny', message: 'No.' });
  expect(await second).toEqual({ behavior: 'deny', message: 'No.' });
  expect(store.getState()).not.toHaveProperty('question');
});

test('drops the question of a stopped turn and shows the next one', async () => {
  const { ask, shown } = openQueue();
  const stop = new AbortController();
  const first = ask('c1', stop.signal);
  void ask('c2');
  stop.abort();
  expect(await first).toMatchObject({ behavior: 'deny' });
  expect(shown()).toMatchObject({ request: { callId: 'c2' }, waiting: 0 });
  expect(await ask('c3', AbortSignal.abort())).toMatchObject({ behavior: 'deny' });
});

test('skips the question for a command that the user typed, once', async () => {
  const { questions, ask, shown } = openQueue();
  questions.expectTyped('c1');
  expect(await ask('c1')).toEqual({ behavior: 'allow' });
  void ask('c1');
  expect(shown()).toMatchObject({ request: { callId: 'c1' } });
});

test('treats a withdrawn confirmation as declined', async () => {
  const { questions } = openQueue();
  const stop = new AbortController();
  const confirmed = questions.confirm({ type: 'confirm_action', prompt: 'Sure?', raw: '/x' }, { signal: stop.signal });
  stop.abort();
  expect(await confirmed).toEqual({ confirmationOutcome: 'cancel', approvedCommands: [] });
});
