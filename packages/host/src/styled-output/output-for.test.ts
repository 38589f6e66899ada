import { expect, test } from 'vitest';
import { outputFor } from './output-for.js';

test('a denial is shown with the flag that allows the call; other errors are shortened', () => {
  const shown = (status: 'canceled' | 'failed') => {
    const outcome = { callId: 'c', name: 'edit', content: `${'x'.repeat(300)} --allowed-tools`, isError: true, status };
    return outputFor({ type: 'tool_end', outcome, parentToolUseId: null } as never)?.text;
  };
  expect(shown('canceled')).toContain('--allowed-tools');
  expect(shown('failed')).toContain('more characters)');
});
