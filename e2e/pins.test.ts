import { readFileSync } from 'node:fs';
import {
  CONTROL_REQUESTS,
  DEFAULT_MAX_LINE_BYTES,
  DEFAULT_TIMEOUTS,
  ERROR_CODES,
  PERMISSION_MODES,
  PROTOCOL_VERSION,
} from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';

// Whoever changes one of these changes what users and other programs rely on: the literal here is the reminder.

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test.each([
  ['protocol', ['.', './json-schema', './package.json']],
  ['models', ['.', './gemini', './openai-compatible', './package.json']],
  ['agent', ['.', './node', './package.json']],
  ['tools', ['.', './package.json']],
  ['commands', ['.', './package.json']],
  ['cli', ['.', './headless', './package.json']],
  ['sdk', ['.', './package.json']],
  ['server', ['.', './package.json']],
])('the entries of @qwen/%s', (name, entries) => {
  const { exports, publishConfig } = JSON.parse(read(`packages/${name}/package.json`));
  expect(Object.keys(exports).toSorted()).toEqual(entries);
  expect(Object.keys(publishConfig.exports).toSorted()).toEqual(entries);
  expect(JSON.stringify(publishConfig.exports)).not.toContain('@qwen/source');
});

test('the control table: who asks what', () => {
  verifies('M-01', 'M-04');
  const asks = Object.entries(CONTROL_REQUESTS).map(([subtype, { asker }]) => `${asker} ${subtype}`);
  expect(asks.toSorted()).toEqual([
    'agent can_use_tool',
    'agent hook_callback',
    'agent mcp_message',
    'app initialize',
    'app interrupt',
    'app mcp_notification',
    'app mcp_server_status',
    'app set_model',
    'app set_output_flow',
    'app set_permission_mode',
    'app supported_commands',
  ]);
});

test('modes, version, line limit and deadlines', () => {
  verifies('M-82', 'O-02', 'O-46', 'CF-52');
  expect(PERMISSION_MODES).toEqual(['default', 'plan', 'auto-edit', 'yolo']);
  expect(PROTOCOL_VERSION).toBe(1);
  expect(DEFAULT_MAX_LINE_BYTES).toBe(16_777_216);
  expect(DEFAULT_TIMEOUTS).toEqual({
    canUseTool: 60_000,
    controlRequest: 60_000,
    initialize: 60_000,
    mcpRequest: 60_000,
    streamClose: 60_000,
  });
});

test('every error code with its HTTP status, its exit code and whether to try again', () => {
  const table = Object.entries(ERROR_CODES).map(
    ([code, { httpStatus, exitCode, retryable }]) =>
      `${code} ${httpStatus} ${exitCode}${retryable ? ' retryable' : ''}`,
  );
  expect(table.toSorted()).toEqual([]);
});

test('the environment variables that the program reads', () => {
  const list = /VARIABLES = \{([^]*?)\} as const/.exec(read('packages/cli/src/config/env.ts'))?.[1] ?? '';
  expect([...list.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name = '']) => name).toSorted()).toEqual([]);
});
