import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { calls, hasPrograms, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openAcpFixture } from './acp-fixture.js';

const canRun = process.platform === 'linux' && hasPrograms('bwrap', 'curl');

test.runIf(canRun)('the sandbox confines commands of an editor, and a new host is a question of its own', async () => {
  const server = createServer((_request, response) => response.end('from the server')).listen(0, '127.0.0.2');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const command = `curl -s http://127.0.0.2:${port}/; echo x > ../escaped`;
  await using fixture = await openAcpFixture([calls({ name: 'run_shell_command', input: { command } }), says('done')]);
  const editor = await fixture.open({
    args: ['--acp', '--sandbox', 'workspace-write'],
    capabilities: { _meta: { terminal_output: true } },
    asked: () => 'yes',
  });
  const sessionId = await editor.newSession(fixture.workspace.path);
  await editor.prompt(sessionId, 'fetch it');
  expect(editor.questions).toMatchObject([
    { toolCall: { kind: 'fetch', title: expect.stringContaining('127.0.0.2') } },
  ]);
  const [run, question] = editor.of('tool_call');
  expect(question?.toolCallId).toBe(editor.questions[0]?.toolCall.toolCallId);
  const ends = editor.of('tool_call_update').filter(({ status }) => status === 'completed' || status === 'failed');
  expect(ends.map(({ toolCallId }) => toolCallId)).toEqual([question?.toolCallId, run?.toolCallId]);
  expect(JSON.stringify(fixture.model.requests[1])).toContain('from the server');
  await expect(fixture.workspace.read('../escaped')).rejects.toThrow(/ENOENT/);
  server.close();
});
