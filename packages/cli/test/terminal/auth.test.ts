import { readFile } from 'node:fs/promises';
import { startByteServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { TerminalFixture } from './terminal-fixture.js';

const KEY = 'sk-typed-at-the-terminal';

test('qwen auth login reads a key without echo; Ctrl-C stores nothing', async () => {
  await using server = await startByteServer([{ chunks: ['{"data":[{"id":"m"}]}'] }]);
  const args = ['auth', 'login', '--provider', 'work', '--base-url', `${server.url}/v1`];
  {
    await using canceled = await TerminalFixture.open({ args });
    await canceled.until('Key for work:');
    canceled.type(KEY);
    canceled.press('ctrl-c');
    await canceled.until('The sign-in was cancelled.');
    expect(canceled.written).not.toContain(KEY);
  }
  await using terminal = await TerminalFixture.open({ args });
  await terminal.until('Key for work:');
  terminal.type(`wrong\u0015\r\n  ${KEY}x`);
  terminal.press('backspace', 'enter');
  await terminal.until('Stored the key of work');
  expect(terminal.written).not.toContain(KEY);
  expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${KEY}`]);
  expect(await readFile(terminal.workspace.resolve('home/.qwen/credentials.json'), 'utf8')).toContain(KEY);
});
