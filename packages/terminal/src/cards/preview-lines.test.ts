import type { ToolPreview } from '@qwen/agent';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { previewLines } from './preview-lines.js';

const shown = (preview: ToolPreview, input: unknown = {}, columns = 30) =>
  previewLines({ toolName: 'run_shell_command', input, preview }, { columns }).map(plainText);

const exec = (command: string): ToolPreview => ({ type: 'exec', command, rootCommand: '' });

test('a command is shown whole, wherever its end was pushed to', () => {
  verifies('S25');
  const command = `echo ok${' '.repeat(200)}; rm -rf /`;
  const lines = shown(exec(command));
  expect(lines.map((line) => line.slice(2)).join('')).toBe(command);
  expect(lines[0]).toBe(`$ echo ok${' '.repeat(21)}`);
});

test('each character of it that a terminal would obey or hide is written out', () => {
  expect(shown(exec('a\u001b[2K\rb\u202ec\td\u200d\u2028e\nf'), {}, 80)).toEqual([
    '$ a\\u001b[2K\\u000db\\u202ec\\u0009d\\u200d\\u2028e',
    '  f',
  ]);
});

test('where it would run, and what the model says that it is for', () => {
  expect(shown(exec('ls'), { directory: '/tmp', description: 'Lists\nfiles' })).toEqual([
    '$ ls',
    'in /tmp',
    'The model says:',
    'Lists\\u000afiles',
  ]);
});

test('a change is shown with the file and every line', () => {
  const diff = `@@ -0,0 +1,60 @@\n${Array.from({ length: 60 }, (_, index) => `+line ${index}`).join('\n')}\n`;
  const lines = shown({ type: 'edit', path: '/work/a\u202e.ts', diff, original: '', modified: '' }, {}, 60);
  expect(lines[0]).toBe('New file: /work/a\\u202e.ts');
  expect(lines).toHaveLength(61);
  expect(lines.at(-1)).toBe('60 + line 59');
  expect(shown({ type: 'edit', path: '/a', diff })[0]).toBe('File: /a');
});

test('a tool of a server is named as the server names it, with all that it gets', () => {
  expect(
    shown(
      { type: 'mcp', server: 'git\u001b[1m', tool: 'push', displayName: 'Push it' },
      { force: true, to: 'a\u202eb' },
    ),
  ).toEqual(['Server: git\\u001b[1m', 'Tool: push (Push it)', '{', '  "force": true,', '  "to": "a\\u202eb"', '}']);
});

test('what is no command shows why it is asked, addresses and the input', () => {
  expect(shown({ type: 'info', prompt: 'It goes out.', urls: ['https://a.example/\u202e'] }, { url: 'x' })).toEqual([
    'Tool: Run',
    'It goes out.',
    'https://a.example/\\u202e',
    '{',
    '  "url": "x"',
    '}',
  ]);
});

test('a plan is drawn whole', () => {
  expect(shown({ type: 'plan', plan: '- step\n'.repeat(50) })).toHaveLength(50);
});
