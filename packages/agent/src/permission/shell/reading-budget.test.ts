import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ANCHORS, ruleSet } from '../../../test/calls.js';
import { decide } from '../decide.js';
import { namedFiles } from './named-files.js';
import { readShellCommand } from './read-shell-command.js';
import { MAX_READING_STEPS, ReadingBudget } from './reading-budget.js';

const PLACE = { folder: '/real/app', workspace: '/real/app' };

const nested = (levels: number): string => {
  let command = 'rm y';
  for (let level = 0; level < levels; level += 1) command = `env 'A=${command.replaceAll("'", String.raw`'\''`)}' x`;
  return command;
};

test.each<[what: string, command: string]>([
  ['operands', `ls ${'a '.repeat(45_000)}`],
  ['operands of a program that runs others', `xargs ${'a '.repeat(45_000)}`],
  ['programs that run others', 'sudo '.repeat(20_000)],
  ['many of them', `xargs ${'env '.repeat(198)};`.repeat(110)],
  ['commands', 'true;'.repeat(19_000)],
  ['commands inside of a word', `sh -c '${'true;'.repeat(19_000)}'`],
  ['a word read again and again', `env ${'env '.repeat(190)}'${'a b;'.repeat(20_000)}'`],
  ['scripts inside of scripts', nested(6).repeat(40)],
  ['assignments', `${'X=1 '.repeat(24_000)}ls`],
  ['redirections', `cat ${'>a '.repeat(30_000)}`],
  ['parentheses', `${'('.repeat(10_000)}rm y${')'.repeat(10_000)}`],
  ['substitutions', `echo ${'$('.repeat(10_000)}x${')'.repeat(10_000)}`],
  ['substitutions in quotes', `echo ${'"$('.repeat(25_000)}`],
  ['folders', `${'cd a&&'.repeat(16_000)}ls`],
])('reading stops at a limit, and what was not read is asked about: %s', (_, command) => {
  verifies('S18', 'F145');
  const budget = new ReadingBudget();
  const reading = readShellCommand(command, PLACE, budget);
  expect(reading.unclear).toBeDefined();
  expect(budget.spent).toBeLessThanOrEqual(MAX_READING_STEPS);
  // No list that rules are tried on is longer than the work that made it.
  const words = [...reading.commands, ...reading.inner].reduce((sum, { words: all }) => sum + all.length, 0);
  expect(words).toBeLessThanOrEqual(2 * MAX_READING_STEPS);
  const call = { toolName: 'run_shell_command', aliases: [], kind: 'execute', paths: [], command } as const;
  const shell = { reading, paths: new Map(), folders: new Set<string>(), git: new Map() };
  const rules = { allow: ['Bash(*)', 'Bash(ls:*)'], deny: ['Bash(shutdown:*)'] };
  for (const mode of ['default', 'yolo'] as const) {
    expect(decide({ mode, rules: ruleSet(rules), call: { ...call, shell } }).behavior).toBe('ask');
  }
});

test('a command with endless expansions is not parsed', () => {
  verifies('S18', 'F145');
  const budget = new ReadingBudget();
  expect(readShellCommand(`echo ${'"$('.repeat(25_000)}`, PLACE, budget).unclear).toMatch(/too many expansions/);
  expect(budget.spent).toBe(0);
});

test('thousands of files and unknown folders are not compared with rules, but may match', () => {
  verifies('S18', 'F145');
  const deep = readShellCommand(`git ${'a/'.repeat(1500)}`, PLACE);
  expect(
    namedFiles({ reading: deep, paths: new Map(), folders: new Set<string>(), git: new Map() }, ANCHORS),
  ).toMatchObject({
    files: [{ path: '/real/app/git' }],
    isOpen: true,
  });
  const hidden = readShellCommand(`git ${'a/../'.repeat(200)}.env`, PLACE);
  const found = namedFiles({ reading: hidden, paths: new Map(), folders: new Set<string>(), git: new Map() }, ANCHORS);
  expect(found.files.map(({ path }) => path)).toContain('/real/app/.env');
});

test('an exhausted budget stays exhausted', () => {
  const budget = new ReadingBudget(3);
  expect([budget.take(2), budget.take(2), budget.take(1)]).toEqual([true, false, false]);
});
