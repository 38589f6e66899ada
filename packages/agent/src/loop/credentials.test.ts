import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  createTestSession,
  ofType,
  outcomes,
  runAll,
  type ScriptedAnswer,
  ScriptedEngineModel,
  saying,
} from '../../test/scripted-engine.js';

const REFUSED: ScriptedAnswer = [{ type: 'failure', error: new AgentError('auth_failed', 'the token is too old') }];

/** A session whose n-th client answers with the n-th list. */
function createSession(...clients: readonly (readonly ScriptedAnswer[])[]) {
  const made: ScriptedEngineModel[] = [];
  const createModel = () => {
    const model = new ScriptedEngineModel(clients[made.length] ?? []);
    made.push(model);
    return Promise.resolve(model);
  };
  return { made, session: createTestSession([], { createModel }).session };
}

test('credentials that expire during a session are read again, once', async () => {
  verifies('F64');
  const { session, made } = createSession([saying('one'), REFUSED], [saying('two')]);
  const events = await runAll(session, 'first', 'second');
  expect(outcomes(events)).toEqual([
    { type: 'success', text: 'one' },
    { type: 'success', text: 'two' },
  ]);
  expect(ofType(events, 'notice').map(({ code }) => code)).toEqual(['credentials_refused']);
  expect(made.map(({ requests }) => requests.length)).toEqual([2, 1]);
});

test('if that does not help, the turn ends with a typed error, and the session continues', async () => {
  verifies('F64');
  const { session, made } = createSession([saying('one'), REFUSED], [REFUSED, saying('three')]);
  const events = await runAll(session, 'first', 'second', 'third');
  expect(outcomes(events)).toMatchObject([
    { text: 'one' },
    { type: 'error', error: { code: 'auth_failed' } },
    { text: 'three' },
  ]);
  expect(made).toHaveLength(2);
});

test('credentials that never worked are refused immediately', async () => {
  const { session, made } = createSession([REFUSED]);
  expect(outcomes(await runAll(session, 'first'))).toMatchObject([{ type: 'error', error: { code: 'auth_failed' } }]);
  expect(made.map(({ requests }) => requests.length)).toEqual([1]);
});
