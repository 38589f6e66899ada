import { expect, test } from 'vitest';
import { outputFor } from './output-for.js';

test('the name of a tool is shown once', () => {
  const shown = (content: string) => {
    const outcome = { callId: 'c', name: 'edit', content, isError: true, status: 'failed' };
    return outputFor({ type: 'tool_end', outcome, parentToolUseId: null } as never)?.text;
  };
  expect(shown('edit: "file_path" is required')).toBe('! edit: "file_path" is required\n');
  expect(shown('No such file.')).toBe('! edit: No such file.\n');
});

test('a denial is shown with the flag that allows the call; other errors are shortened', () => {
  const shown = (status: 'canceled' | 'failed') => {
    const outcome = { callId: 'c', name: 'edit', content: `${'x'.repeat(300)} --allowed-tools`, isError: true, status };
    return outputFor({ type: 'tool_end', outcome, parentToolUseId: null } as never)?.text;
  };
  expect(shown('canceled')).toContain('--allowed-tools');
  expect(shown('failed')).toContain('more characters)');
});
