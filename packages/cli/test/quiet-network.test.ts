import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { calls, isolatedEnvironment, says, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

/** Loaded before the program: writes down each connection, datagram socket and look-up of a name that it asks for. */
const listen = (file: string) => `
  import { appendFileSync } from 'node:fs';
  import { createRequire } from 'node:module';
  const load = createRequire(import.meta.url);
  const tell = (what) => appendFileSync(${JSON.stringify(file)}, what + '\\n');
  const { Socket } = load('node:net');
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (...args) {
    const [options] = Array.isArray(args[0]) ? args[0] : args;
    tell('connect ' + (options.path ?? options.host + ':' + options.port));
    return connect.apply(this, args);
  };
  const dgram = load('node:dgram');
  dgram.createSocket = () => { tell('datagram'); throw new Error('no datagrams'); };
  const dns = load('node:dns');
  const { lookup } = dns;
  dns.lookup = (name, ...rest) => { tell('lookup ' + name); return lookup(name, ...rest); };
`;

test('a whole session with tools connects to the configured provider only', async () => {
  verifies('S112');
  await using trap = await startByteServer([{ status: 200 }]);
  await using fixture = await openCliFixture([
    calls(
      { name: 'write_file', input: { file_path: 'a.txt', content: 'a' } },
      { name: 'grep_search', input: { pattern: 'a' } },
      { name: 'run_shell_command', input: { command: 'cat a.txt' } },
      { name: 'task', input: { description: 'look', prompt: 'Look around.', subagent_type: 'general-purpose' } },
    ),
    says('done'),
  ]);
  const heard = fixture.workspace.resolve('heard.txt');
  const preload = fixture.workspace.resolve('listen.mjs');
  await writeFile(preload, listen(heard));
  const proxies = Object.fromEntries(['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [name, trap.url]));
  const agent = await fixture.startMachine(['--yolo'], {
    env: isolatedEnvironment(fixture.workspace.resolve('home'), {
      ...fixture.model.env,
      ...proxies,
      NODE_OPTIONS: `--import=${pathToFileURL(preload).href}`,
    }),
  });
  agent.send(control('init', { subtype: 'initialize' }));
  agent.send(control('models', { subtype: 'get_available_models' }));
  agent.send(prompt('go'));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'done' });
  agent.endInput();
  await agent.exited;
  const { host } = new URL(fixture.model.baseUrl);
  const said = (await readFile(heard, 'utf8')).trim().split('\n');
  expect(new Set(said)).toEqual(new Set([`connect ${host}`]));
  expect(trap.connectionCount).toBe(0);
});
