import { type CommandResult, commandResultSchema } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CONVERSATION } from '../test/fake-host.js';
import { type CommandOutcome, toWireResult } from './index.js';

const CASES: readonly (readonly [CommandOutcome, CommandResult])[] = [
  [{ type: 'handled' }, { type: 'handled' }],
  [
    { type: 'message', level: 'warning', content: 'x' },
    { type: 'message', level: 'warning', content: 'x' },
  ],
  [
    { type: 'dialog', dialog: 'auth', content: 'x' },
    { type: 'dialog', dialog: 'auth', content: 'x' },
  ],
  [
    { type: 'tool', toolRequest: { name: 'read_file', args: { path: 'a' } } },
    { type: 'tool', tool_request: { name: 'read_file', args: { path: 'a' } } },
  ],
  [
    { type: 'submit_prompt', content: 'x', warnings: ['cut'] },
    { type: 'submit_prompt', parts: [{ type: 'text', text: 'x' }], warnings: ['cut'] },
  ],
  [
    {
      type: 'submit_prompt',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
        { type: 'image', source: { type: 'url', url: 'https://x/y.png' } },
      ],
    },
    {
      type: 'submit_prompt',
      parts: [
        { type: 'text', text: 'see' },
        { type: 'inline_data', inline_data: { mime_type: 'image/png', data: 'AA==' } },
        { type: 'file_data', file_data: { file_uri: 'https://x/y.png' } },
      ],
    },
  ],
  [
    { type: 'quit', messages: ['bye'] },
    { type: 'quit', messages: ['bye'] },
  ],
  [
    { type: 'quit_confirmation', prompt: 'End?' },
    { type: 'quit_confirmation', prompt: 'End?' },
  ],
  [
    { type: 'confirm_shell_commands', commands: ['ls'], rawInvocation: '/x y' },
    { type: 'confirm_shell_commands', commands_to_confirm: ['ls'], original_invocation: { raw: '/x y' } },
  ],
  [
    { type: 'confirm_action', prompt: 'Sure?', rawInvocation: '/x' },
    { type: 'confirm_action', prompt: 'Sure?', original_invocation: { raw: '/x' } },
  ],
];

test.each(CASES)('%o', (outcome, result) => {
  verifies('GAP-24', 'F-17', 'F-20', 'F-21', 'F-22', 'F-23', 'F-24', 'F-26', 'F-27', 'F-28');
  expect(toWireResult(outcome)).toEqual(result);
  expect(commandResultSchema.parse(result)).toEqual(result);
});

test('a history becomes chat completion messages', () => {
  verifies('GAP-24', 'F-25');
  const result = toWireResult({ type: 'load_history', history: CONVERSATION });
  expect(result).toEqual({
    type: 'load_history',
    history: [
      { role: 'user', content: 'What is <here>?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'list_directory', arguments: '{"path":"."}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'a.ts' },
      { role: 'assistant', content: 'This:\n```ts\nconst a = 1;\n```\nDone.' },
    ],
  });
  expect(commandResultSchema.parse(result)).toEqual(result);
});
