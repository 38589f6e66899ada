import type { AgentEvent } from '@qwen/agent';
import { answer, ended, pending, thinking } from '@qwen/host/test/agent-events.js';
import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { Transcript } from './transcript.js';

function transcript(...events: readonly AgentEvent[]) {
  const shown = new Transcript({ columns: () => 40, isScreenReader: false, folder: '/work' });
  const printed = events.flatMap((event) => shown.take(event, 0)).map(plainText);
  return { printed, unfolded: () => shown.unfold().map(plainText) };
}

test('prints a call as a card and its full result on demand', () => {
  const content = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
  const { printed, unfolded } = transcript(
    pending('c', 'run_shell_command', { command: 'seq 30' }),
    ended('c', 'run_shell_command', { content }),
  );
  expect(printed[0]).toBe('✓ Run seq 30');
  expect(printed).toHaveLength(12);
  expect(printed).toContain('  … 21 more lines (Ctrl-O shows all)');
  expect(unfolded().slice(0, 2)).toEqual(['✓ Run seq 30', '  line 0']);
  expect(unfolded()).toHaveLength(32);
});

test('counts what a tool read and shows it on demand', () => {
  const { printed, unfolded } = transcript(
    pending('c', 'read_file', { file_path: '/work/a.ts' }),
    ended('c', 'read_file', { content: 'one\ntwo' }),
  );
  expect(printed).toEqual(['✓ Read a.ts', '  2 lines', '']);
  expect(unfolded()).toEqual(['✓ Read a.ts', '  one', '  two', '']);
});

test('folds a thought and shows it on demand', () => {
  const { printed, unfolded } = transcript(...answer([thinking('First,\nthen.')]));
  expect(printed).toEqual(['Thought for 1 s · Ctrl-O to show', '']);
  expect(unfolded()).toEqual(['Thinking:', 'First,', 'then.', '']);
});

test('shows calls of subagents only in their card', () => {
  const inner = [pending('i', 'read_file', {}, 'task-1'), ended('i', 'read_file', { parent: 'task-1' })];
  expect(transcript(...inner).printed).toEqual([]);
});
