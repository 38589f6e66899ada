import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { QueryOptions } from '../options/options.js';
import { readAbilities } from './agent-abilities.js';

test('treats an unannounced capability as missing', () => {
  const none = { isForeignCli: false, outputFlow: false, mcpNotifications: false };
  expect(readAbilities({ protocol_version: 1 }, {})).toEqual(none);
  expect(readAbilities({ protocol_version: 1, capabilities: { outputFlow: false } }, {})).toEqual(none);
  expect(readAbilities({ capabilities: { outputFlow: true, mcpNotifications: true, new: 1 } }, {})).toEqual({
    isForeignCli: true,
    outputFlow: true,
    mcpNotifications: true,
  });
});

test('an unsupported version is refused with both numbers', () => {
  verifies('F24');
  expect(() => readAbilities({ protocol_version: 2 }, {})).toThrow(
    expect.objectContaining({ code: 'unsupported_protocol', message: expect.stringMatching(/version 2.*version 1/) }),
  );
});

test('qwen-code ignores a system prompt: the option is refused', () => {
  const preset = { type: 'preset', preset: 'qwen_code' } as const;
  for (const systemPrompt of ['x', { ...preset, append: 'x' }]) {
    expect(() => readAbilities({}, { systemPrompt })).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  }
  expect(readAbilities({}, { systemPrompt: preset })).toBeDefined();
});

test.each<[string, QueryOptions]>([
  ['hooks', { hooks: { Stop: [] } }],
  ['outputSchema', { outputSchema: { type: 'object' } }],
  ['budget', { budget: { turns: 1 } }],
  ['effort', { effort: 'low' }],
  ['fallbackModel', { fallbackModel: 'small' }],
  ['mcpReady', { mcpReady: 'wait' }],
])('qwen-code ignores %s: the option is refused by name, and accepted with the qwen CLI', (name, options) => {
  verifies('T26');
  expect(() => readAbilities({}, options)).toThrow(
    expect.objectContaining({
      code: 'invalid_options',
      message: expect.stringContaining(`options.${name} is not supported`),
    }),
  );
  expect(readAbilities({ protocol_version: 1 }, options)).toMatchObject({ isForeignCli: false });
});
