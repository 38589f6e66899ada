import { readdir } from 'node:fs/promises';
import { calls, FAULTY_MCP_SERVER, lastText, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answer, control, openCliFixture, prompt, QUESTION, RESULT } from './cli-fixture.js';

test('lines and files that end in CRLF are read, and an edit keeps the line ends', async () => {
  verifies('GAP-58');
  const edit = { file_path: 'a.txt', old_string: 'two\n', new_string: 'zwei\nzweieinhalb\n' };
  await using fixture = await openCliFixture([
    calls({ name: 'read_file', input: { file_path: 'a.txt' } }),
    calls({ name: 'edit', input: edit }),
    says('done'),
  ]);
  await fixture.workspace.write('a.txt', 'one\r\ntwo\r\nthree\r\n');
  const agent = await fixture.startMachine(['--yolo']);
  agent.write(`${JSON.stringify(control('init', { subtype: 'initialize' }))}\r\n${JSON.stringify(prompt('edit'))}\r\n`);
  expect(await agent.next(RESULT)).toMatchObject({ result: 'done' });
  expect(await fixture.workspace.read('a.txt')).toBe('one\r\nzwei\r\nzweieinhalb\r\nthree\r\n');
});

test('Windows paths are plain file names here and lead nowhere', async () => {
  verifies('GAP-58');
  const paths = ['C:\\Windows\\a.txt', '..\\..\\b.txt', '\\\\server\\share\\c.txt'];
  const writes = paths.map((file_path, at) => ({
    id: `call_${at}`,
    name: 'write_file',
    input: { file_path, content: 'x' },
  }));
  await using fixture = await openCliFixture([calls(...writes), says('done')]);
  const agent = await fixture.startMachine();
  agent.send(prompt('write'));
  for (const path of paths) {
    const { request_id, request } = await agent.next(QUESTION);
    expect(request).toMatchObject({ input: { file_path: path }, blocked_path: null });
    agent.send(answer(request_id, { behavior: 'allow' }));
  }
  await agent.next(RESULT);
  expect((await readdir(fixture.workspace.path)).toSorted()).toEqual([...paths, 'home'].toSorted());
});

test('a server starts without a shell, so shell syntax is a plain argument', async () => {
  verifies('GAP-58');
  await using fixture = await openCliFixture([
    calls({ name: 'mcp__mine__echo', input: { a: 1 } }),
    (request) => says(lastText(request)),
  ]);
  const args = [FAULTY_MCP_SERVER, 'none', '$(touch canary)', '; touch canary', '`touch canary`', '| touch canary'];
  const agent = await fixture.startMachine(['--allowed-tools', 'mcp__*']);
  agent.send(control('init', { subtype: 'initialize', mcpServers: { mine: { command: process.execPath, args } } }));
  agent.send(prompt('go'));
  expect(await agent.next(RESULT)).toMatchObject({ result: '{"a":1}' });
  expect(await fixture.workspace.read('canary').catch(() => 'absent')).toBe('absent');
});
