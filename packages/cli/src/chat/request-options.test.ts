import type { ChatRequest } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { hostToolsOf, overridesOf } from './request-options.js';

const OWN = [
  { name: 'edit', aliases: ['EditFile', 'replace'] },
  { name: 'read_file', aliases: ['ReadFile', 'Read'] },
];
const HOST = [{ name: 'lookup', aliases: [] }];
const OFFERED = { own: OWN, host: HOST };

const request = (more: Partial<ChatRequest>): ChatRequest => ({ input: { origin: 'user', parts: [] }, ...more });
const functionTool = (name: string) => ({ type: 'function', function: { name } }) as const;

test('a request without overrides has none', () => {
  expect(overridesOf(request({}), OFFERED)).toBeUndefined();
});

test('options override the request, and their model overrides its model', () => {
  verifies('E-10', 'E-20', 'CF-68');
  const options = { model: 'b', temperature: 0.2, top_p: 0.5, max_tokens: 10 };
  expect(overridesOf(request({ model: 'a', options }), OFFERED)).toEqual({
    model: 'b',
    temperature: 0.2,
    topP: 0.5,
    maxOutputTokens: 10,
  });
  expect(overridesOf(request({ model: 'a' }), OFFERED)).toEqual({ model: 'a' });
});

test.each([
  ['EditTool', 'edit'],
  ['edit_file', 'edit'],
  ['ReadFileTool', 'read_file'],
  ['lookup', 'lookup'],
])('%s in a list of tools is %s', (name, own) => {
  verifies('E-21', 'CF-69');
  expect(overridesOf(request({ options: { tool_overrides: [name] } }), OFFERED)).toEqual({ toolNames: [own] });
});

test('tools of the request restrict the built-in ones; others belong to the host', () => {
  verifies('CF-21', 'E-31');
  const tools = [functionTool('ReadFile'), functionTool('lookup')];
  expect(overridesOf(request({ tools }), OFFERED)).toEqual({ toolNames: ['read_file', 'lookup'] });
  expect(overridesOf(request({ tools: [functionTool('lookup')] }), OFFERED)).toBeUndefined();
  expect(hostToolsOf(request({ tools }), OWN)).toEqual([
    { name: 'lookup', description: '', inputSchema: { type: 'object' } },
  ]);
});

test.each([
  [{ tool_overrides: ['NoSuchTool'] }, 'there is no tool "NoSuchTool"'],
  [{ temperature: 3 }, 'request.options.temperature'],
  [{ top_p: -1 }, 'request.options.top_p'],
  [{ max_tokens: 0 }, 'request.options.max_tokens'],
])('%j is refused by name', (options, message) => {
  verifies('GAP-12');
  expect(() => overridesOf(request({ options }), OFFERED)).toThrow(message);
});
