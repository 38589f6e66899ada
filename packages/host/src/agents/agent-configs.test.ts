import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toAgentConfigs } from './agent-configs.js';

test('a list is used unchanged', () => {
  const agents = [{ name: 'reviewer', systemPrompt: 'Review.', tools: ['read_file'] }];
  expect(toAgentConfigs(agents)).toEqual(agents);
});

test("a map in Claude's form becomes a list", () => {
  verifies('O-42');
  const reviewer = { description: 'Reviews.', prompt: 'Review.', tools: ['Read'], model: 'inherit', maxTurns: 3 };
  expect(toAgentConfigs({ reviewer, 'code searcher': { model: 'haiku' } })).toEqual([
    {
      name: 'reviewer',
      description: 'Reviews.',
      systemPrompt: 'Review.',
      tools: ['Read'],
      model: 'inherit',
      runConfig: { maxTurns: 3 },
    },
    { name: 'code searcher' },
  ]);
});

test.each([
  ['an empty name', [{ name: '' }]],
  ['a name that looks like a rule', [{ name: 'x,Bash(*)' }]],
  ['a name that looks like a flag', [{ name: '--dangerously-skip-permissions' }]],
  ['a name of two lines', [{ name: 'a\nb' }]],
  ['two of one name', [{ name: 'a' }, { name: 'a' }]],
  ['a mistyped tool that it must not use', { a: { disallowedTools: ['Edit', 'Bsh'] } }],
  ['tools that are no list', { a: { tools: 'Bash' } }],
])('%s is refused', (_what, agents) => {
  verifies('S54');
  expect(() => toAgentConfigs(agents)).toThrow(
    expect.objectContaining({ code: 'invalid_payload', message: expect.stringMatching(/^initialize\.agents/) }),
  );
});
