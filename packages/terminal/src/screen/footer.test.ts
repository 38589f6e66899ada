import { mkdir, writeFile } from 'node:fs/promises';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { lineWidth } from '../lines/text-width.js';
import { toDuration, toTokens } from '../transcript/figures.js';
import { footerRows } from './footer-rows.js';
import { readBranch } from './git-branch.js';
import { nextMode } from './screen-keys.js';
import { statusWords } from './status-line.js';
import { todoRows } from './todo-rows.js';

const FACTS = {
  cwd: '/home/me/project',
  branch: 'main',
  model: 'qwen',
  permissionMode: 'default',
  context: { usedTokens: 5_000, windowTokens: 10_000 },
  brokenServers: [],
  hint: undefined,
} as const;

test('the footer shows the mode, the folder, the model and the context usage', () => {
  const [mode = [], place = []] = footerRows(FACTS, { columns: 60, rows: 2 });
  expect(plainText(mode)).toContain('asks before changes');
  expect(plainText(place)).toMatch(/^project \(main\) · qwen +context 50%$/);
  expect(lineWidth(place)).toBe(60);
});

test('the footer shows the sandbox, and that there is none', () => {
  const first = (sandbox?: 'read-only' | 'unavailable') =>
    plainText(footerRows({ ...FACTS, sandbox }, { columns: 80, rows: 1 })[0] ?? []);
  expect(first('read-only')).toContain('· sandbox: read-only ·');
  expect(first('unavailable')).toContain('· no sandbox ·');
  expect(first()).not.toContain('sandbox');
});

test('the footer counts the commands in the background', () => {
  const first = (running: number) => plainText(footerRows({ ...FACTS, running }, { columns: 80, rows: 1 })[0] ?? []);
  expect(first(2)).toContain('· 2 in the background, see /tasks ·');
  expect(first(0)).not.toContain('background');
});

test('a hint replaces the mode, disconnected servers are named, and narrow screens truncate', () => {
  const [hint = []] = footerRows({ ...FACTS, hint: 'Press again' }, { columns: 60, rows: 2 });
  expect(plainText(hint)).toBe('Press again');
  const [broken = []] = footerRows({ ...FACTS, brokenServers: ['git\u001b[2J'] }, { columns: 200, rows: 1 });
  expect(plainText(broken)).toContain(String.raw`MCP: git\u001b[2J not connected`);
  for (const line of footerRows(FACTS, { columns: 12, rows: 2 })) expect(lineWidth(line)).toBeLessThanOrEqual(12);
});

test('the status shows the activity, its duration and the next retry', () => {
  const turn = { startedAt: 0, phase: 'answering', outputTokens: 1_234, isCancelling: false } as const;
  expect(statusWords(turn, 65_000)).toBe('Answering · 1 min 5 s · ~1.2k tokens · Esc to interrupt');
  const retry = { reason: 'Too many requests.', until: 70_000, attempt: 2 };
  expect(statusWords({ ...turn, phase: 'retrying', retry }, 65_500)).toMatch(/^Retrying in 5 s.*Too many requests\.$/);
  expect(statusWords({ ...turn, isCancelling: true }, 0)).toBe('Stopping …');
});

test('Shift-Tab cycles the modes and skips yolo unless the session started in it', () => {
  expect(['default', 'auto-edit', 'plan'].map((mode) => nextMode(mode as 'default', 'default'))).toEqual([
    'auto-edit',
    'plan',
    'default',
  ]);
  expect(nextMode('plan', 'yolo')).toBe('yolo');
  expect(nextMode('yolo', 'yolo')).toBe('default');
});

test('shows the current part of a long plan', () => {
  const todos = Array.from({ length: 9 }, (_, at) => ({
    id: String(at),
    content: `step ${at}`,
    status: at < 5 ? ('completed' as const) : ('pending' as const),
  }));
  const shown = todoRows(todos, { columns: 40, rows: 3 }).map(plainText).join('\n');
  expect(shown).toContain('step 5');
  expect(shown).not.toContain('step 0');
});

test('reads the branch of the enclosing work tree, including linked ones', async () => {
  await using folder = await temporaryFolder();
  await mkdir(folder.resolve('main/.git/worktrees/more'), { recursive: true });
  await mkdir(folder.resolve('main/deep/down'), { recursive: true });
  await mkdir(folder.resolve('more'));
  await writeFile(folder.resolve('main/.git/HEAD'), 'ref: refs/heads/feature/one\n');
  await writeFile(folder.resolve('main/.git/worktrees/more/HEAD'), '0123456789abcdef\n');
  await writeFile(folder.resolve('more/.git'), `gitdir: ${folder.resolve('main/.git/worktrees/more')}\n`);
  expect(readBranch(folder.resolve('main/deep/down'))).toBe('feature/one');
  expect(readBranch(folder.resolve('more'))).toBeUndefined();
});

test.each([
  [0, '0 s', '0'],
  [59_999, '59 s', '60k'],
  [3_600_000 + 180_000, '1 h 3 min', '3.8M'],
])('%i reads as %s and %s', (count, duration, tokens) => {
  expect(toDuration(count)).toBe(duration);
  expect(toTokens(count)).toBe(tokens);
});
