import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { readAbilities } from './agent-abilities.js';
import type { QueryOptions } from './options.js';

test('an ability that is not announced is not there', () => {
  const none = { isPeer: false, outputFlow: false, mcpNotifications: false };
  expect(readAbilities({ protocol_version: 1 }, {})).toEqual(none);
  expect(readAbilities({ protocol_version: 1, capabilities: { outputFlow: false } }, {})).toEqual(none);
  expect(readAbilities({ capabilities: { outputFlow: true, mcpNotifications: true, new: 1 } }, {})).toEqual({
    isPeer: true,
    outputFlow: true,
    mcpNotifications: true,
  });
});

test('a version that we do not speak is refused with both numbers', () => {
  verifies('F24');
  expect(() => readAbilities({ protocol_version: 2 }, {})).toThrow(
    expect.objectContaining({ code: 'unsupported_protocol', message: expect.stringMatching(/version 2.*speaks 1/) }),
  );
});

test('a CLI of the peer would ignore a system prompt, so it is refused', () => {
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
])('a CLI of the peer would ignore %s, so it is refused by name; ours takes it', (name, options) => {
  verifies('T26');
  expect(() => readAbilities({}, options)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(`options.${name}:`) }),
  );
  expect(readAbilities({ protocol_version: 1 }, options)).toMatchObject({ isPeer: false });
});
