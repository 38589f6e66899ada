import { answer, notice, PROMPT, SUCCESS, started, text, turn } from '@qwen/host/test/agent-events.js';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { annotationsOf, tell } from '../../../test/event-lists.js';

test('an output annotation carries stream, source, styles and turn', () => {
  verifies('S-19', 'D-05', 'D-06', 'D-08', 'D-09', 'D-10', 'D-11', 'D-12', 'D-17', 'L-08', 'CF-11', 'CF-12', 'CF-13');
  const shown = annotationsOf(tell(turn(SUCCESS, started('c', 'größe', { a: '😀' }))));
  expect(shown.find(({ type }) => type === 'x-qwen-terminal')).toEqual({
    type: 'x-qwen-terminal',
    channel: 'stderr',
    source: 'tool',
    text: '> größe {"a":"😀"}\n',
    spans: [
      { start_index: 2, end_index: 7, style: { theme_token: 'AccentCyan', bold: true } },
      { start_index: 8, end_index: 18, style: { theme_token: 'Gray' } },
    ],
    ansi: [
      { offset: 2, sequence: '\u001b[1;36m' },
      { offset: 7, sequence: '\u001b[0m' },
      { offset: 8, sequence: '\u001b[90m' },
      { offset: 18, sequence: '\u001b[0m' },
    ],
    prompt_id: PROMPT,
    log_scope: 'tool',
  });
});

test('plain text has no sequences, and an annotation outside a turn has no turn ID', () => {
  verifies('D-13', 'D-17');
  const [lineEnd] = annotationsOf(tell(answer([text('Hi')])));
  expect(lineEnd).toEqual({ type: 'x-qwen-terminal', channel: 'stdout', source: 'assistant', text: '\n', ansi: [] });
  expect(annotationsOf(tell([notice('News.')]))[0]).not.toHaveProperty('prompt_id');
});
