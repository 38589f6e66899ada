import { setImmediate } from 'node:timers/promises';
import type { ConfirmationAnswer } from '@qwen/host/service-apis.js';
import fc from 'fast-check';
import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import { ComponentFixture, KEYS } from '../../test/component-fixture.js';
import { askedPermission, PrintedLines } from '../../test/session-fixture.js';
import type { OpenQuestion } from '../state/terminal-state.js';
import { StrayTextContext } from './choice/answer-guard.js';
import { QuestionView } from './question-view.js';

/** Shown once keys can answer. */
const ARMED = 'Enter or number';

interface Opening {
  readonly rows?: number;
  readonly printed?: PrintedLines;
  readonly kept?: string[];
}

function open(question: OpenQuestion, { rows = 24, printed = new PrintedLines(), kept = [] }: Opening = {}) {
  const view = (
    <StrayTextContext value={(text) => kept.push(text)}>
      <QuestionView {...{ question, rows }} columns={80} session={printed} />
    </StrayTextContext>
  );
  return new ComponentFixture(view, { rows });
}

test.concurrent('shows the command and the reason, and allows it once with arrow and Enter', async () => {
  const { question, answered } = askedPermission();
  await using fixture = open(question);
  const screen = await fixture.until(ARMED);
  expect(screen).toContain('Run this command?');
  expect(screen).toContain('rm -r build');
  expect(screen).toContain('Commands that change files ask.');
  expect(screen).not.toContain('❯');
  fixture.type(KEYS.enter);
  fixture.type(KEYS.down);
  await fixture.until('❯ 1. Yes');
  fixture.type(KEYS.enter);
  expect(await answered).toEqual({ behavior: 'allow' });
});

test.concurrent('Escape denies the call and stops the turn', async () => {
  const { question, answered } = askedPermission();
  await using fixture = open(question);
  await fixture.until(ARMED);
  fixture.type(KEYS.escape);
  expect(await answered).toMatchObject({ behavior: 'deny', interrupt: true });
});

test.concurrent('a denial can include a reason, and Escape returns to the choices', async () => {
  const { question, answered } = askedPermission();
  await using fixture = open(question);
  await fixture.until(ARMED);
  fixture.type('4');
  await fixture.until('What should qwen do instead?');
  fixture.type(KEYS.escape);
  await fixture.until(ARMED);
  fixture.type('4');
  await fixture.until('What should qwen do instead?');
  fixture.type('use git clean');
  await fixture.until('use git clean');
  fixture.type(KEYS.enter);
  expect(await answered).toEqual({ behavior: 'deny', message: 'The user declined. They said: use git clean' });
});

test.concurrent('stores the offered rule for the project', async () => {
  const { question, answered } = askedPermission();
  await using fixture = open(question);
  await fixture.until(ARMED);
  fixture.type('3');
  expect(await answered).toMatchObject({
    behavior: 'allow',
    updatedPermissions: [{ type: 'addRules', rules: ['Bash(rm -r build)'], destination: 'localSettings' }],
  });
});

test.concurrent('prints a preview that exceeds the screen above the dialog', async () => {
  const command = Array.from({ length: 60 }, (_line, number) => `echo line-${number}`).join('\n');
  const { question } = askedPermission({ preview: { type: 'exec', command, rootCommand: 'echo' } });
  const printed = new PrintedLines();
  await using fixture = open(question, { printed });
  await fixture.until('lines are printed above');
  const above = printed.lines.join('\n');
  for (let number = 0; number < 60; number += 1) expect(above).toContain(`echo line-${number}`);
});

test.concurrent('prints a preview above the dialog when the screen becomes too small for it', async () => {
  const command = Array.from({ length: 12 }, (_line, number) => `echo line-${number}`).join('\n');
  const { question } = askedPermission({ preview: { type: 'exec', command, rootCommand: 'echo' } });
  const printed = new PrintedLines();
  let resize = (_rows: number): void => undefined;
  function Resized(): ReactNode {
    const [rows, setRows] = useState(40);
    resize = setRows;
    return <QuestionView {...{ question, rows }} columns={80} session={printed} />;
  }
  await using fixture = new ComponentFixture(<Resized />, { rows: 40 });
  await fixture.until('echo line-11');
  expect(printed.lines).toEqual([]);
  resize(14);
  await fixture.until('lines are printed above');
  const above = printed.lines.join('\n');
  for (let number = 0; number < 12; number += 1) expect(above).toContain(`echo line-${number}`);
  resize(13);
  await fixture.until(ARMED);
  expect(printed.lines.join('\n')).toBe(above);
});

test.concurrent('keeps typed text for the prompt instead of answering', async () => {
  const { question, answered } = askedPermission();
  const kept: string[] = [];
  await using fixture = open(question, { kept });
  await fixture.until('Stop typing to answer');
  fixture.type('11');
  fixture.type(KEYS.enter);
  await fixture.until(ARMED);
  fixture.type('add ');
  await fixture.until('Stop typing to answer');
  for (const character of '3 tests') fixture.type(character);
  fixture.type(KEYS.enter);
  await fixture.until(ARMED);
  fixture.type(KEYS.enter);
  fixture.paste('1');
  await fixture.until('Stop typing to answer');
  await fixture.until(ARMED);
  fixture.type('5');
  expect(await answered).toMatchObject({ behavior: 'deny' });
  expect(kept.join('')).toBe('11add 3 tests1');
});

test.concurrent('takes nothing in a paste without an end for an answer', async () => {
  const { question, answered } = askedPermission();
  const kept: string[] = [];
  await using fixture = open(question, { kept });
  await fixture.until(ARMED);
  fixture.type(`\u001b[200~1${KEYS.enter}`);
  await fixture.until('Stop typing to answer');
  await fixture.until(ARMED);
  fixture.type('5');
  expect(await answered).toMatchObject({ behavior: 'deny' });
  expect(kept.join('')).toBe('1\r');
});

test.concurrent.each([
  ['the release of a key', '\u001b[49;1:3u'],
  ['a digit with Alt', '\u001b1'],
  ['a digit with Super', '\u001b[49;9u'],
  ['the release of an arrow', '\u001b[1;1:3B'],
])('does not answer for %s', async (_name, keys) => {
  const { question, answered } = askedPermission();
  await using fixture = open(question);
  await fixture.until(ARMED);
  fixture.type(keys);
  fixture.type(KEYS.escape);
  expect(await answered).toMatchObject({ behavior: 'deny', interrupt: true });
});

test.concurrent('a digit that arrives with a report of the terminal or the end of a paste is text', async () => {
  const { question, answered } = askedPermission();
  const kept: string[] = [];
  await using fixture = open(question, { kept });
  for (const keys of ['\u001b[201~1', '\u001b[?1;2c2', '\u001b[I3']) {
    await fixture.until(ARMED);
    fixture.type(keys);
    await fixture.until('Stop typing to answer');
  }
  await fixture.until(ARMED);
  fixture.type('5');
  expect(await answered).toMatchObject({ behavior: 'deny' });
  expect(kept.join('')).toBe('123');
});

test.concurrent('treats a digit that starts a text as text', async () => {
  const { question, answered } = askedPermission();
  const kept: string[] = [];
  await using fixture = open(question, { kept });
  await fixture.until(ARMED);
  fixture.type('3');
  await fixture.until('❯ 3.');
  fixture.type(' tests');
  await fixture.until('Stop typing to answer');
  await fixture.until(ARMED);
  fixture.type(KEYS.enter);
  fixture.type(KEYS.escape);
  expect(await answered).toMatchObject({ behavior: 'deny' });
  expect(kept.join('')).toBe('3 tests');
});

test('typing never approves a command, in any chunking', async () => {
  const character = fc.constantFrom(...'123456789 aeiounty/.\r\n\t', 'no', 'y\r', '1\r', '\r3');
  // Keys that follow at once are read as one chunk.
  const typing = fc.array(fc.tuple(character, fc.integer({ min: 0, max: 3 })), { minLength: 2, maxLength: 40 });
  const runs = fc.sample(typing, { numRuns: 20, seed: Number(process.env['FAST_CHECK_SEED'] ?? Date.now()) });
  const typeAll = async (keys: readonly [string, number][]): Promise<void> => {
    const { question } = askedPermission();
    const answers: unknown[] = [];
    await using fixture = open({ ...question, answer: (answer: unknown) => answers.push(answer) });
    await fixture.until(ARMED);
    for (const [key, turns] of keys) {
      fixture.type(key);
      for (let turn = 0; turn < turns; turn += 1) await setImmediate();
    }
    fixture.type('.');
    await fixture.until('Stop typing to answer');
    await fixture.until(ARMED);
    expect(answers, JSON.stringify(keys)).toEqual([]);
  };
  await Promise.all(runs.map(typeAll));
});

test.concurrent('a question of the model also waits until typing stops', async () => {
  const input = { questions: [{ question: 'Which one?', options: [{ label: 'A' }] }] };
  const { question, answered } = askedPermission({ toolName: 'ask_user_question', input });
  await using fixture = open(question);
  await fixture.until('Stop typing to answer');
  await fixture.until(ARMED);
  fixture.type('1');
  expect(await answered).toMatchObject({ updatedInput: { answers: { 0: 'A' } } });
});

test.concurrent('shows long questions and reasons in full', async () => {
  const long = (what: string) => `${Array.from({ length: 20 }, () => what).join(' ')} to its end`;
  const input = { questions: [{ question: long('Which'), options: [{ label: 'A' }] }] };
  await using asked = open(askedPermission({ toolName: 'ask_user_question', input }).question);
  await asked.until('to its end');
  const { question } = askedPermission({ reason: long('why'), blockedPath: `/${'deep/'.repeat(20)}its-end` });
  await using fixture = open(question);
  const screen = await fixture.until('to its end');
  expect(screen.replaceAll(/[\s│]/g, '')).toContain('deep/its-end');
});

test.concurrent('a question of the model names its source, whatever its header says', async () => {
  const options = [{ label: 'Yes' }, { label: 'No' }];
  const header = 'Run this command?';
  const questions = [{ question: 'Paste your key', header, options }];
  const { question } = askedPermission({ toolName: 'ask_user_question', input: { questions } });
  await using fixture = open(question);
  expect(await fixture.until(ARMED)).toContain('Question from the agent: Run this command?');
});

test.concurrent('shows the preview of the selected option, and returns that of the chosen one', async () => {
  const options = [
    { label: 'Rows', preview: '```\n[ name ]\n[ mail ]\n```' },
    { label: 'Tiles', preview: Array.from({ length: 40 }, (_line, number) => `- tile ${number}`).join('\n') },
    { label: 'None' },
  ];
  const input = { questions: [{ question: 'Which layout?', options }] };
  const { question, answered } = askedPermission({ toolName: 'ask_user_question', input });
  await using fixture = open(question);
  expect(await fixture.until('[ mail ]')).not.toContain('tile 0');
  await fixture.until(ARMED);
  fixture.type(KEYS.down);
  const tiles = await fixture.until('tile 0');
  expect(tiles).toMatch(/… \d+ more lines/);
  expect(tiles).toContain('4. Something else');
  fixture.type(KEYS.enter);
  expect(await answered).toMatchObject({
    updatedInput: { answers: { 0: 'Tiles' }, annotations: { 'Which layout?': { preview: options[1]?.preview } } },
  });
});

test.concurrent("answers the model's questions one by one, by option or free text", async () => {
  const input = {
    questions: [
      { question: 'Which one?', header: 'Choice', options: [{ label: 'A' }, { label: 'B', description: 'better' }] },
      { question: 'Which colours?', options: [{ label: 'red' }, { label: 'blue' }], multiSelect: true },
    ],
  };
  const { question, answered } = askedPermission({ toolName: 'ask_user_question', input });
  await using fixture = open(question);
  await fixture.until(ARMED);
  fixture.type('3');
  await fixture.until('Enter: send');
  fixture.type('C');
  await fixture.until('> C');
  fixture.type(KEYS.enter);
  await fixture.until((screen) => screen.includes('[ ] blue') && screen.includes(ARMED));
  fixture.type('2');
  await fixture.until('[x] blue');
  fixture.type('4');
  expect(await answered).toEqual({ behavior: 'allow', updatedInput: { ...input, answers: { 0: 'C', 1: ['blue'] } } });
});

test.concurrent('shows the commands of a custom command in full and runs them only after approval', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<ConfirmationAnswer>();
  const commands = ['git log -1', 'rm a\u001b[2Jb'];
  const confirmation = { type: 'confirm_shell_commands', commands, raw: '/release' } as const;
  await using fixture = open({ kind: 'confirmation', id: 'q', waiting: 0, confirmation, answer: resolve });
  const screen = await fixture.until(ARMED);
  expect(screen).toContain('$ git log -1');
  expect(screen).toContain('rm a\\u001b[2Jb');
  fixture.type('2');
  expect(await answered).toEqual({ confirmationOutcome: 'proceed_always', approvedCommands: commands });
});

test.concurrent('Escape declines a confirmation', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<ConfirmationAnswer>();
  const confirmation = { type: 'confirm_action', prompt: 'Forget it all?', raw: '/clear' } as const;
  await using fixture = open({ kind: 'confirmation', id: 'q', waiting: 0, confirmation, answer: resolve });
  await fixture.until(ARMED);
  fixture.type(KEYS.escape);
  expect(await answered).toEqual({ confirmationOutcome: 'cancel', approvedCommands: [] });
});
