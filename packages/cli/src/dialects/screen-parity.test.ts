import type { AgentEvent, ToolDisplay } from '@qwen/agent';
import {
  answer,
  call,
  ended,
  notice,
  pending,
  SUCCESS,
  started,
  text,
  thinking,
  turn,
} from '@qwen/host/test/agent-events.js';
import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tell } from '../../test/event-lists.js';
import { replay, screenOf } from '../../test/terminal-screen.js';
import { createText } from './text.js';

// A terminal shows the same whether it was written to in text mode or from the lines alone (D-03, D-14, GAP-20).

const LOOK = { hasColours: true, isScreen: true };

function textMode(events: readonly AgentEvent[]): string {
  const toPieces = createText({ stdout: LOOK, stderr: LOOK });
  return events
    .flatMap((event) => toPieces(event))
    .map((piece) => piece.text)
    .join('');
}

/** The screens of text mode and of both formats. */
async function screensOf(events: readonly AgentEvent[]) {
  const [screen, ...replays] = await Promise.all([
    screenOf(textMode(events)),
    screenOf(tell(events, { format: 'message' }).map(replay).join('')),
    screenOf(tell(events, { format: 'chunk' }).map(replay).join('')),
  ]);
  return { screen, replays };
}

const DIFF: ToolDisplay = {
  kind: 'diff',
  path: '/work/größe.py',
  diff: `--- a\n+++ b\n@@ -1,2 +1,40 @@\n-\told\u001b[2J\n${'+neu 日本\n'.repeat(40)}`,
  stat: { aiAdded: 40, aiRemoved: 1, userAdded: 0, userRemoved: 0 },
};
const TODOS: ToolDisplay = {
  kind: 'todos',
  todos: [
    { id: '1', content: 'look 👀', status: 'completed' },
    { id: '2', content: 'mend', status: 'in_progress' },
    { id: '3', content: 'test', status: 'pending' },
  ],
};
const OVERLOADED = new AgentError('provider_error', 'The provider failed.');

/** A session with everything that a screen shows. */
const SESSION: readonly AgentEvent[] = [
  notice('An MCP server is not connected.'),
  ...turn(
    SUCCESS,
    { type: 'retry', attempt: 1, delayMs: 1_500, error: OVERLOADED, parentToolUseId: null },
    ...answer([
      thinking('Hm.'),
      text('Ich schaue 日本語 👨‍👩‍👧 ', 'nach\n\ttabs und \u001b[31mkein Rot\u001b[2J', '\r\nEnde'),
      call('c-1', 'edit', '{"path":"größe.py"}'),
      call('c-2', 'run_shell_command', '{"command":"ls 😀"}'),
    ]),
    pending('c-1', 'edit', { path: 'größe.py' }),
    pending('c-2', 'run_shell_command', { command: `ls ${'😀'.repeat(90)}` }),
    started('c-1', 'edit', { path: 'größe.py' }),
    started('c-2', 'run_shell_command', { command: `ls ${'😀'.repeat(90)}` }),
    ended('c-1', 'edit', { display: DIFF }),
    ended('c-2', 'run_shell_command', { status: 'error', content: 'no\u001b[1A\nsuch file' }),
    ended('c-3', 'todo_write', { display: TODOS }),
    ended('c-4', 'exit_plan_mode', { display: { kind: 'plan', message: 'Yes.', plan: '# Plan\n\n1. look\n' } }),
    ended('c-5', 'edit', { status: 'canceled', content: 'The user declined.' }),
    ...answer([text('inner')], { parent: 'c-9' }),
    { type: 'compacted', trigger: 'auto', tokensBefore: 12, tokensAfter: 8, parentToolUseId: null },
    ...answer([text('Fertig.\n')]),
  ),
  ...turn({ type: 'interrupted', by: 'user', reason: 'Interrupted.' }, ...answer([text('Half an ans')])),
  ...turn({ type: 'max_turns', limit: 3 }),
  ...turn({ type: 'success', text: '{"a":1}', structured: { a: 1 } }),
  ...turn({ type: 'error', error: OVERLOADED }, ...answer([text('cut')], { stopReason: 'error' })),
  ...turn({ type: 'error', error: OVERLOADED }, ...answer([text('lost')]).slice(0, -1)),
  ...turn(SUCCESS, ...answer([text('after')])),
];

test('a session with every screen element looks the same in both formats and in text mode', async () => {
  verifies('D-03', 'D-04', 'D-06', 'D-08', 'D-12', 'D-14', 'D-45', 'GAP-20');
  const written = textMode(SESSION);
  expect(written).toContain('\u001b[1;36medit\u001b[0m');
  expect(written).toContain('\u001b[32m+neu 日本\u001b[0m');
  expect(written).toContain('(12 more lines)');
  expect(written).toContain('\u001b[31mqwen: The provider failed.\u001b[0m\n');
  expect(written).not.toMatch(/\u001b\[(2J|1A)/);
  const { screen, replays } = await screensOf(SESSION);
  expect(replays).toEqual([screen, screen]);
});

const piece = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t', '\r', '日', '😀', '\u001b', '[1A', '\u0007') });
const happening: fc.Arbitrary<readonly AgentEvent[]> = fc.oneof(
  fc.array(piece, { maxLength: 4 }).map((pieces) => answer([text(...pieces), thinking('Hm.')])),
  piece.map((message) => [notice(message)]),
  fc
    .tuple(piece, piece, fc.constantFrom('success', 'error', 'canceled'))
    .map(([input, content, status]) => [started('c', 'run', { input }), ended('c', 'run', { content, status })]),
  // News while an answer arrives.
  fc.tuple(piece, piece, piece).map(([one, news, two]) => {
    const events = answer([text(one, two)]);
    return [...events.slice(0, 3), notice(news), ...events.slice(3)];
  }),
);

test('any sequence of events produces the same screens', async () => {
  verifies('D-14', 'GAP-20', 'S25');
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 6 }), async (happenings) => {
      const { screen, replays } = await screensOf(turn(SUCCESS, ...happenings.flat()));
      expect(replays).toEqual([screen, screen]);
    }),
    { numRuns: 60 },
  );
});
