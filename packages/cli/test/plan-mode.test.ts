import { existsSync } from 'node:fs';
import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, control, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

const WRITES = calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'done\n' } });
const plan = '1. Write a.txt';
const PRESENTS = calls({ name: 'exit_plan_mode', input: { plan } });

test('a plan is presented to the app; a denial keeps plan mode, an approval ends it', async () => {
  verifies('GAP-02', 'M-59');
  await using fixture = await openCliFixture([WRITES, PRESENTS, PRESENTS, WRITES, says('written')]);
  const agent = await fixture.startMachine(['--approval-mode', 'plan', '--allowed-tools', 'write_file']);
  agent.send(control('init', { subtype: 'initialize', protocol_version: 1, canUseTool: true }));
  agent.send(prompt('write it'));
  const denied = await agent.next({ type: 'user' });
  expect(JSON.stringify(denied)).toContain('Plan mode permits read-only work');
  const first = await agent.next(QUESTION);
  expect(first).toMatchObject({
    request: { tool_name: 'exit_plan_mode', input: { plan }, reason: expect.any(String) },
  });
  agent.send(answer(first['request_id'], { behavior: 'deny', message: 'Shorter, please.' }));
  const second = await agent.next(QUESTION);
  expect(existsSync(fixture.workspace.resolve('a.txt'))).toBe(false);
  agent.send(answer(second['request_id'], { behavior: 'allow' }));
  expect(await agent.next({ type: 'system', subtype: 'permission_mode_changed' })).toMatchObject({
    permission_mode: 'default',
  });
  expect(await agent.next(RESULT)).toMatchObject({ subtype: 'success', result: 'written' });
  expect(await fixture.workspace.read('a.txt')).toBe('done\n');
  expect(JSON.stringify(fixture.model.requests[2])).toContain('Shorter, please.');
});
