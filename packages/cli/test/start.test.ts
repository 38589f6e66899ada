import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { answerTo, control, openCliFixture } from './cli-fixture.js';

test('an old Node.js prints one line and exits with code 4', async () => {
  await using fixture = await openCliFixture();
  const disguise = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.12.0'}})`;
  const program = await fixture.start(['--version'], {
    env: { ...fixture.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(disguise)}` },
  });
  expect(await program.exited).toEqual({ code: 4, signal: null });
  expect(program.stderr).toMatch(
    /^qwen: Node.js 22.13 or newer is required, but \S+ is 22.12.0. Install a newer Node.js from https:\/\/nodejs.org\n$/,
  );
});

test.each([['--version'], ['-v']])('%s prints only the version', async (flag) => {
  await using fixture = await openCliFixture();
  const program = await fixture.start([flag]);
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.lines.map(({ text }) => text)).toEqual([manifest.version]);
});

test('--help prints completely to stdout, also through a pipe', async () => {
  verifies('A-10');
  await using fixture = await openCliFixture();
  const program = await fixture.start(['--help']);
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.lines.map(({ text }) => text).join('\n')).toContain('129/130/143');
});

/** Prints which files of the program, each with its length, have been loaded when something is written first. */
const SPY = `
const fs = process.getBuiltinModule('node:fs');
const { readFileSync } = fs;
const loaded = [];
fs.readFileSync = (path, ...args) => {
  const content = readFileSync(path, ...args);
  if (String(path).endsWith('.cjs')) loaded.push([path.split('/').at(-1), content.length]);
  return content;
};
const { write } = process.stdout;
process.stdout.write = function (...args) {
  process.stderr.write(JSON.stringify(loaded) + '\\n');
  return write.apply(this, args);
};
`;

test('before the first answer no engine, provider or MCP code is loaded', async () => {
  await using fixture = await openCliFixture([says('never asked')]);
  const agent = await fixture.startMachine([], {
    env: { ...fixture.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SPY)}` },
  });
  agent.send(control('init', { subtype: 'initialize' }));
  await agent.next(answerTo('init'));
  const [first = '[]'] = agent.stderr.split('\n');
  const loaded: [string, number][] = JSON.parse(first);
  // Nearly half of it is zod. The engine alone would add 150 kB, a provider's library 600 kB.
  expect(loaded).toEqual([['start.cjs', expect.any(Number)]]);
  expect(loaded[0]?.[1]).toBeLessThan(520_000);
});

test('an unusable folder for the compile cache does not prevent the start', async () => {
  await using fixture = await openCliFixture();
  const env = { ...fixture.env, XDG_CACHE_HOME: await fixture.workspace.write('file', '') };
  const program = await fixture.start(['--version'], { env });
  expect(await program.exited).toEqual({ code: 0, signal: null });
  expect(program.stderr).toBe('');
});
