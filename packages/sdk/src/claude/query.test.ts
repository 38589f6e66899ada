import { expect, test } from 'vitest';
import { scriptedCli } from '../testing/index.js';
import * as claude from './index.js';

const { query } = claude;

const COUNTED = { model: 'm', total_tokens: 900, is_estimated: false };

test.each([
  [
    { max_tokens: 1000, percentage: 90 },
    { maxTokens: 1000, rawMaxTokens: 1000, percentage: 90 },
  ],
  [{}, { maxTokens: Number.NaN, rawMaxTokens: Number.NaN, percentage: Number.NaN }],
])('getContextUsage() has the members of the Claude Agent SDK: %o', async (known, wanted) => {
  const categories = [{ name: 'Messages', tokens: 900 }];
  const answers = { get_context_usage: () => ({ ...COUNTED, ...known, categories }) };
  const cli = scriptedCli(({ says }) => says('hi'), { answers });
  await using running = query({ prompt: 'x', options: { transport: cli.transport } });
  expect(await running.getContextUsage({ detail: 'summary' })).toEqual({
    model: 'm',
    totalTokens: 900,
    categories: [{ name: 'Messages', tokens: 900, color: 'inactive' }],
    ...wanted,
  });
});

test.each(['tagSession', 'listSubagents', 'getSubagentMessages', 'resolveSettings', 'filterEscalatingDefaultMode'])(
  'apps that import %s start; a call throws',
  (name) => {
    const refused = Reflect.get(claude, name) as () => void;
    expect(refused).toThrow(
      expect.objectContaining({ code: 'unsupported_by_cli', message: expect.stringMatching(name) }),
    );
  },
);
