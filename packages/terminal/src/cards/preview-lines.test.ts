import type { ToolPreview } from '@qwen/agent';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { previewLines } from './preview-lines.js';

const shown = (preview: ToolPreview, input: unknown = {}, columns = 30) =>
  previewLines({ toolName: 'run_shell_command', input, preview }, { columns }).map(plainText);

const exec = (command: string): ToolPreview => ({ type: 'exec', command, rootCommand: '' });

test('shows a command in full, even if padding hides its end', () => {
  verifies('S25');
  const command = `echo ok${' '.repeat(200)}; rm -rf /`;
  const lines = shown(exec(command));
  expect(lines.map((line) => line.slice(2)).join('')).toBe(command);
  expect(lines[0]).toBe(`$ echo ok${' '.repeat(21)}`);
});

test('escapes control and invisible characters of a command', () => {
  expect(shown(exec('a\u001b[2K\rb\u202ec\td\u200d\u2028e\nf'), {}, 80)).toEqual([
    '$ a\\u001b[2K\\u000db\\u202ec\\u0009d\\u200d\\u2028e',
    '  f',
  ]);
});

test('shows the working directory and the description of a command', () => {
  expect(shown(exec('ls'), { directory: '/tmp', description: 'Lists\nfiles' })).toEqual([
    '$ ls',
    'in /tmp',
    'The model says:',
    'Lists\\u000afiles',
  ]);
});

test('shows the file and every line of an edit', () => {
  const diff = `@@ -0,0 +1,60 @@\n${Array.from({ length: 60 }, (_, index) => `+line ${index}`).join('\n')}\n`;
  const lines = shown({ type: 'edit', path: '/work/a\u202e.ts', diff, original: '', modified: '' }, {}, 60);
  expect(lines[0]).toBe('New file: /work/a\\u202e.ts');
  expect(lines).toHaveLength(61);
  expect(lines.at(-1)).toBe('60 + line 59');
  expect(shown({ type: 'edit', path: '/a', diff })[0]).toBe('File: /a');
});

test('shows the title of an MCP tool and its whole input', () => {
  expect(
    shown(
      { type: 'mcp', server: 'git\u001b[1m', tool: 'push', displayName: 'Push it' },
      { force: true, to: 'a\u202eb' },
    ),
  ).toEqual(['Server: git\\u001b[1m', 'Tool: push (Push it)', '{', '  "force": true,', '  "to": "a\\u202eb"', '}']);
});

test('shows the reason, the URLs and the input of other tools', () => {
  expect(shown({ type: 'info', prompt: 'It goes out.', urls: ['https://a.example/\u202e'] }, { url: 'x' })).toEqual([
    'Tool: Run',
    'It goes out.',
    'https://a.example/\\u202e',
    '{',
    '  "url": "x"',
    '}',
  ]);
});

test('renders the whole plan', () => {
  expect(shown({ type: 'plan', plan: '- step\n'.repeat(50) })).toHaveLength(50);
});
