import type { SessionRecord } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { ModelHistory } from './model-history.js';

const AT = '2026-01-01T00:00:00.000Z';

function ran(content: string, isShared: boolean): SessionRecord {
  const call = { tool_use_id: 'c', tool_name: 'run_shell_command', input: { command: 'git status' } };
  return { type: 'client_call', uuid: 'u', at: AT, ...call, content, is_error: false, is_shared: isShared };
}

function messagesAfter(...records: readonly SessionRecord[]): string {
  const history = new ModelHistory();
  for (const record of records) history.add(record);
  history.add({ type: 'user', uuid: 'p', at: AT, content: 'And now?' });
  return JSON.stringify(history.messages);
}

test('the model reads a shared call with the next prompt, marked as run by the user', () => {
  const messages = messagesAfter(ran('clean', true));
  expect(messages).toContain('The user, not you, ran this command.');
  expect(messages).toContain('<user_command>git status</user_command>');
  expect(messages).toMatch(/<output>\\nclean\\n<\/output>.*And now\?/);
  expect(messagesAfter(ran('clean', false))).not.toContain('clean');
});

test('a long output is shortened in the middle', () => {
  const messages = messagesAfter(ran(`first${'x'.repeat(1_000_000)}last`, true));
  expect(messages.length).toBeLessThan(17_000);
  expect(messages).toMatch(/first.*984009 characters left out.*last/);
});
