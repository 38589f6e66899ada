import { AgentError } from '@qwen/protocol';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  hanging,
  ofType,
  outcomes,
  readUntil,
  runAll,
  START,
  saying,
  tool,
} from '../../test/scripted-engine.js';
import type { AgentEvent } from '../events.js';
import type { PromptMessage } from './options.js';
import type { AgentSession } from './session.js';

const CALLS = calling(call('1', 'work'));

/** A session whose tool submits these messages while it runs. */
function sessionWith(messages: readonly PromptMessage[], answers = [CALLS, saying('done'), saying('again')]) {
  const fixture = createTestSession(answers, {
    tools: [
      tool('work', {
        execute: async () => {
          for (const message of messages) fixture.session.submit(message);
          fixture.session.endInput();
          return { content: 'worked' };
        },
      }),
    ],
  });
  return fixture;
}

/** The tool ends the input. */
async function runPrompt(session: AgentSession): Promise<AgentEvent[]> {
  session.submit({ uuid: 'first', content: 'Start.' });
  const events: AgentEvent[] = [];
  for await (const event of session.events()) events.push(event);
  return events;
}

function turnsOf(events: readonly AgentEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === 'turn_start') return [`turn ${event.turnId}`];
    return event.type === 'prompt_taken' ? [`taken ${event.uuid}`] : [];
  });
}

test('the next call contains messages with priority after the tool results; others have their own turn', async () => {
  const { session, model, log } = sessionWith([
    { uuid: 'later', content: 'Later.', priority: 'later' },
    { uuid: 'next', content: 'Next.', priority: 'next' },
    { uuid: 'now', content: 'Now.', priority: 'now' },
  ]);
  const events = await runPrompt(session);
  expect(turnsOf(events)).toEqual(['turn first', 'taken now', 'taken next', 'turn later']);
  expect(model.requests[1]?.messages.slice(-3)).toMatchObject([
    { role: 'tool' },
    { role: 'user', content: [{ type: 'text', text: 'Now.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Next.' }] },
  ]);
  expect(log.records.flatMap((record) => (record.type === 'user' ? [record.uuid] : []))).toEqual([
    'first',
    'now',
    'next',
    'later',
  ]);
});

test('a message that no call could take is the next prompt, ahead of the others', async () => {
  const { session } = createTestSession([hanging(START), saying('done')]);
  const events = session.events();
  session.submit({ uuid: 'first', content: 'Start.' });
  session.submit({ uuid: 'later', content: 'Later.' });
  const begun = await readUntil(events, 'message_start');
  session.submit({ uuid: 'next', content: 'Next.', priority: 'next' });
  session.interrupt({ by: 'user', reason: 'Stop.' });
  session.endInput();
  const rest: AgentEvent[] = [...begun];
  for await (const event of events) rest.push(event);
  expect(turnsOf(rest)).toEqual(['turn first', 'turn next', 'turn later']);
});

test('a withdrawn message has no turn', async () => {
  const { session } = createTestSession([saying('done')]);
  session.submit({ uuid: 'first', content: 'Start.' });
  session.submit({ uuid: 'next', content: 'Next.', priority: 'next' });
  expect([session.withdraw('next'), session.withdraw('next')]).toEqual([true, false]);
  session.endInput();
  expect(turnsOf(await runAll(session))).toEqual(['turn first']);
});

test('a message that a hook blocks is not added and reports the reason in its own turn', async () => {
  const fixture = createTestSession([CALLS, saying('done')], {
    tools: [
      tool('work', {
        execute: async () => {
          fixture.session.submit({ uuid: 'next', content: 'secret', priority: 'next' });
          fixture.session.endInput();
          return { content: 'worked' };
        },
      }),
    ],
    hooks: {
      has: (event) => event === 'UserPromptSubmit',
      run: async (input) =>
        input.event === 'UserPromptSubmit' && input.prompt === 'secret' ? { block: { reason: 'no secrets' } } : {},
    },
  });
  const events = await runPrompt(fixture.session);
  expect(turnsOf(events)).toEqual(['turn first', 'turn next']);
  expect(outcomes(events)).toMatchObject([{ type: 'success' }, { type: 'error', error: { code: 'hook_blocked' } }]);
  expect(JSON.stringify(fixture.model.requests)).not.toContain('secret');
});

test('a prompt with its own settings, or after a task, is not added to the turn', async () => {
  const { session } = sessionWith([{ uuid: 'own', content: 'x', priority: 'now', overrides: { model: 'other' } }]);
  expect(turnsOf(await runPrompt(session))).toEqual(['turn first', 'turn own']);
});

test('a message that the log rejects is not lost', async () => {
  const fixture = sessionWith([{ uuid: 'next', content: 'Next.', priority: 'next' }]);
  const append = fixture.log.append.bind(fixture.log);
  let failures = 1;
  fixture.log.append = async (record) => {
    if (record.type === 'user' && record.uuid === 'next' && failures-- > 0) {
      throw new AgentError('internal', 'The disk is full.');
    }
    return append(record);
  };
  const events = await runPrompt(fixture.session);
  expect(turnsOf(events)).toEqual(['turn first', 'turn next']);
  expect(ofType(events, 'turn_end').map(({ outcome }) => outcome.type)).toEqual(['error', 'success']);
});

test('a message that steers is for the running turn only, and its sender learns what became of it', async () => {
  const fates: string[] = [];
  const steering = (uuid: string): PromptMessage => ({
    uuid,
    content: `${uuid}.`,
    priority: 'next',
    onSteered: (isTaken) => fates.push(`${uuid} ${isTaken ? 'taken' : 'dropped'}`),
  });
  const { session, model } = sessionWith([steering('taken')]);
  session.submit({ uuid: 'first', content: 'Start.' });
  const turns: string[] = [];
  for await (const event of session.events()) {
    // No model call follows.
    if (event.type === 'turn_end' && event.turnId === 'first') fates.push('end');
    turns.push(...turnsOf([event]));
  }
  expect(turns).toEqual(['turn first', 'taken taken']);
  expect(fates).toEqual(['taken taken', 'end']);

  const hung = createTestSession([hanging(START), saying('done')]);
  hung.session.submit({ uuid: 'first', content: 'Start.' });
  const events = hung.session.events();
  await readUntil(events, 'message_start');
  hung.session.submit(steering('late'));
  hung.session.submit({ uuid: 'second', content: 'More.' });
  hung.session.endInput();
  hung.session.interrupt({ by: 'user', reason: 'Stop.' });
  const rest: AgentEvent[] = [];
  for await (const event of events) rest.push(event);
  expect(turnsOf(rest)).toEqual(['turn second']);
  expect(fates.at(-1)).toBe('late dropped');
  expect(JSON.stringify([model.requests, hung.model.requests])).not.toContain('late.');

  const idle = createTestSession([]).session;
  idle.submit(steering('closed'));
  await idle.close();
  expect(fates.at(-1)).toBe('closed dropped');
});
