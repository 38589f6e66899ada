import type { AgentEvent } from '@qwen/agent';
import { endOfEmptyTurn } from '@qwen/host/empty-turn.js';
import { AgentError, NO_USAGE } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { promptLines } from './prompt-lines.js';
import { Transcript } from './transcript.js';

const MAIN = { parentToolUseId: null } as const;
const TURN: AgentEvent = { type: 'turn_start', turnId: 't' };

type BlockKind = 'text' | 'thinking';

function block(kind: BlockKind, ...pieces: readonly string[]): readonly AgentEvent[] {
  const place = { messageId: 'm', index: 0, ...MAIN };
  const whole = (text: string) => (kind === 'text' ? { type: kind, text } : { type: kind, thinking: text });
  return [
    { type: 'block_start', ...place, block: whole('') },
    ...pieces.map((text): AgentEvent => ({ type: 'block_delta', ...place, kind, text })),
    { type: 'block_end', ...place, block: whole(pieces.join('')) },
  ];
}

function result(content: string): AgentEvent {
  const outcome = {
    callId: 'c',
    name: 'list_directory',
    uuid: 'u',
    content,
    isError: false,
    status: 'success' as const,
  };
  return { type: 'tool_end', outcome, ...MAIN };
}

function open(columns = 60) {
  const transcript = new Transcript({ columns: () => columns, isScreenReader: false, folder: '/work' });
  let nowMs = 0;
  const take = (...events: readonly AgentEvent[]): string =>
    events
      .flatMap((event) => {
        nowMs += 1_000;
        return transcript.take(event, nowMs);
      })
      .map(plainText)
      .join('\n');
  return { transcript, take };
}

test('prints the final part of an answer and keeps the rest as draft', () => {
  const { transcript, take } = open();
  const [start, first, second, end] = block('text', 'One **para', 'graph**\n\nand a ha') as [
    AgentEvent,
    AgentEvent,
    AgentEvent,
    AgentEvent,
  ];
  expect(take(TURN, start, first)).toBe('');
  expect(transcript.draft).toBe('One **para');
  expect(take(second)).toContain('One paragraph');
  expect(transcript.draft).toContain('and a ha');
  expect(take(end)).toContain('and a ha');
  expect(transcript.draft).toBe('');
});

test('prints an interrupted answer with the reason', () => {
  const { take, transcript } = open();
  const error = new AgentError('auth_failed', 'The provider went away.');
  const said = take(TURN, ...block('text', 'Half an ans').slice(0, 2), endOfEmptyTurn('t', { type: 'error', error }));
  expect(said).toMatch(/Half an ans[^]*✗ .*The provider went away\./);
  expect(transcript.draft).toBe('');
});

test('prints a thought as one line that can be expanded', () => {
  const { take, transcript } = open();
  expect(take(TURN, ...block('thinking', 'First ', 'this,\nthen that.'))).toContain('Thought for 3 s');
  expect(transcript.unfold().map(plainText).join('\n')).toContain('First this,\nthen that.');
});

test('expands a result in full, and remembers only the latest', () => {
  const { take, transcript } = open();
  const lines = Array.from({ length: 40 }, (_, index) => `entry ${index}.`).join('\n');
  expect(take(TURN, ...block('thinking', 'hm'), result(lines))).not.toContain('entry 20.');
  expect(transcript.unfold().map(plainText).join('\n')).toContain('entry 20.');
});

test('prints the output of a command once and as it is', () => {
  const { take } = open();
  expect(take(TURN, endOfEmptyTurn('t', { type: 'success', text: 'C:\\_x_y\n  __init__' }))).toContain(
    'C:\\_x_y\n  __init__',
  );
  const end = endOfEmptyTurn('t', { type: 'success', text: 'said already' });
  expect(take(TURN, result('said already'), end)).not.toContain('said already');
});

test('folds the middle of a long prompt', () => {
  const text = Array.from({ length: 5_000 }, (_, at) => `line ${at}`).join('\n');
  const lines = promptLines({ text, images: [] }, 80).map(plainText);
  expect(lines).toHaveLength(14);
  expect(lines.slice(7, 10)).toEqual(['  line 7', '  … 4988 more lines', '  line 4996']);
});

test('ends a turn with its duration and tokens', () => {
  const { take } = open();
  const end: AgentEvent = {
    ...endOfEmptyTurn('t', { type: 'success', text: 'Hi' }),
    type: 'turn_end',
    durationMs: 2_400,
    modelCalls: 1,
    usage: { ...NO_USAGE, input_tokens: 1_500, output_tokens: 20 },
  } as AgentEvent;
  const said = take(TURN, ...block('text', 'Hi'), end);
  expect(said.match(/Hi/g)).toHaveLength(1);
  expect(said).toContain('2 s · 1.5k in · 20 out');
});

test('hides messages of a subagent but shows its notices', () => {
  const { take } = open();
  const [start, delta] = block('text', 'inner words') as [AgentEvent, AgentEvent];
  const inner = (event: AgentEvent): AgentEvent => ({ ...event, parentToolUseId: 'c' }) as AgentEvent;
  expect(take(TURN, inner(start), inner(delta))).toBe('');
  expect(take({ type: 'notice', code: 'x', message: 'Look out', parentToolUseId: 'c' })).toBe('! Look out');
});

test('prints a prompt with its attachments, set off from answers', () => {
  const lines = promptLines({ text: 'Two\nlines \u001b[2J', images: [1, 2] }, 40).map(plainText);
  expect(lines).toEqual(['> Two', String.raw`  lines \u001b[2J`, '  [2 pictures]', '']);
});
