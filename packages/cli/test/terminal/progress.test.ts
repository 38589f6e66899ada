import { calls, says, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { untilFree } from './question-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

/** A command that runs until there is a file of this name. */
const waitFor = (file: string) => `until [ -e ${file} ]; do sleep 0.05; done`;
const shell = (command: string) => calls({ name: 'run_shell_command', input: { command } });
const TASK = { description: 'look', prompt: 'Look around.', subagent_type: 'general-purpose' };

test('a silent call shows its elapsed time', async () => {
  await using terminal = await openTerminal({ model: [shell(waitFor('go')), says('Done')], args: ['--yolo'] });
  await terminal.until(READY);
  await terminal.send('Wait');
  await terminal.until(/● Run until .* 1 s/);
  await terminal.until(/● Run until .* 2 s/);
  await terminal.workspace.write('project/go', '');
  expect(await untilFree(terminal, 'Done')).not.toContain('●');
});

test('a running subagent shows its number of calls and the latest, and its card shows the total', async () => {
  await using terminal = await openTerminal({
    model: [
      calls({ name: 'task', input: TASK }),
      shell(waitFor('first')),
      shell(waitFor('second')),
      says('I looked around.'),
      says('All fine'),
    ],
    args: ['--yolo'],
    rows: 30,
  });
  await terminal.until(READY);
  await terminal.send('Go');
  const first = await terminal.until(/● Agent general-purpose: look .*1 call\n {2}● Run until \[ -e first/);
  expect(first).toContain('Esc to interrupt');
  await terminal.workspace.write('project/first', '');
  await terminal.until(/● Agent general-purpose: look .*2 calls\n {2}● Run until \[ -e second/);
  await terminal.workspace.write('project/second', '');
  const end = await untilFree(terminal, 'All fine');
  expect(end).toMatch(/✓ Agent general-purpose: look\n.*2 calls: 2 Run/);
});

test('a requested retry delay is counted down, and the answer follows', async () => {
  verifies('F58');
  const answer = { choices: [{ index: 0, delta: { content: 'Here I am' }, finish_reason: 'stop' }] };
  await using server = await startByteServer([
    { status: 429, headers: { 'content-type': 'application/json', 'retry-after': '3' }, chunks: ['{"error":{}}'] },
    { chunks: [`data: ${JSON.stringify(answer)}\n\ndata: [DONE]\n\n`] },
  ]);
  await using terminal = await openTerminal({ env: { OPENAI_BASE_URL: `${server.url}/v1` } });
  await terminal.until(READY);
  await terminal.send('Hello');
  await terminal.until('Retrying in 3 s');
  await terminal.until('Retrying in 1 s');
  await untilFree(terminal, 'Here I am');
  expect(server.requests).toHaveLength(2);
  expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
});
