import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { says, startLineProcess } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN, type CliFixture, openCliFixture, prompt, RESULT, SDK_FLAGS } from './cli-fixture.js';

const cacheIn = ({ env, workspace }: CliFixture) => ({ ...env, XDG_CACHE_HOME: workspace.resolve('cache') });
const codeFolder = ({ workspace }: CliFixture) => workspace.resolve('cache/qwen/compile');

/** One turn, to the end of the process. */
async function oneTurn(fixture: CliFixture, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const agent = await fixture.startMachine([], { env: { ...cacheIn(fixture), ...env } });
  agent.send(prompt('Hi'));
  agent.endInput();
  expect(await agent.next(RESULT)).toMatchObject({ result: 'Hello' });
  expect(await agent.exited).toMatchObject({ code: 0 });
}

const openFixture = () => openCliFixture([says('Hello'), says('Hello')]);

test('a turn stores its compiled code for the next process, privately and once', async () => {
  await using fixture = await openFixture();
  const folder = codeFolder(fixture);
  await oneTurn(fixture);
  const names = (await readdir(folder)).toSorted();
  expect(names).toEqual([
    expect.stringMatching(/^client\.cjs-[\da-f]{16}-v/),
    expect.stringMatching(/^start\.cjs-[\da-f]{16}-v/),
    expect.stringMatching(/^turn\.cjs-[\da-f]{16}-v/),
  ]);
  const describe = () =>
    Promise.all(
      names.map(async (name) => stat(`${folder}/${name}`).then(({ mode, ino }) => ({ mode: mode & 0o777, ino }))),
    );
  const kept = await describe();
  expect(kept.map(({ mode }) => mode)).toEqual([0o600, 0o600, 0o600]);
  await oneTurn(fixture);
  expect(await describe()).toEqual(kept);
});

test('storing code removes only files that were not read for a month', async () => {
  await using fixture = await openFixture();
  const folder = codeFolder(fixture);
  await mkdir(folder, { recursive: true });
  const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  for (const [name, usedAt] of [
    ['turn.cjs-gone', daysAgo(31)],
    ['turn.cjs-other', daysAgo(29)],
  ] as const) {
    await writeFile(`${folder}/${name}`, '');
    await utimes(`${folder}/${name}`, usedAt, daysAgo(100));
  }
  await oneTurn(fixture);
  expect(await readdir(folder)).toHaveLength(4);
  expect(await readdir(folder)).toContain('turn.cjs-other');
});

test('code that V8 rejects is compiled again', async () => {
  await using fixture = await openFixture();
  const folder = codeFolder(fixture);
  await oneTurn(fixture);
  const files = (await readdir(folder)).map((name) => `${folder}/${name}`);
  for (const file of files) await writeFile(file, (await readFile(file)).subarray(0, 1000));
  await oneTurn(fixture);
  for (const file of files) expect((await stat(file)).size).toBeGreaterThan(20_000);
});

test.each([['--version'], ['--help']])(
  '%s stores nothing, because it compiles too little to help a turn',
  async (flag) => {
    await using fixture = await openFixture();
    const folder = codeFolder(fixture);
    const program = await fixture.start([flag], { env: cacheIn(fixture) });
    expect(await program.exited).toMatchObject({ code: 0 });
    await expect(readdir(folder)).rejects.toThrow('ENOENT');
  },
);

test('an unwritable folder does not prevent a run', async () => {
  await using fixture = await openFixture();
  const folder = codeFolder(fixture);
  await mkdir(dirname(folder), { recursive: true });
  await writeFile(folder, 'a file in its place');
  await oneTurn(fixture);
  expect(await readFile(folder, 'utf8')).toBe('a file in its place');
});

test('NODE_DISABLE_COMPILE_CACHE=1 disables the cache', async () => {
  await using fixture = await openFixture();
  const folder = codeFolder(fixture);
  await oneTurn(fixture, { NODE_DISABLE_COMPILE_CACHE: '1' });
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

test('with other Node.js flags, the program stores its code separately', async () => {
  await using fixture = await openFixture();
  await oneTurn(fixture);
  await using agent = await startLineProcess({
    command: process.execPath,
    args: ['--min-semi-space-size=16', BIN, ...SDK_FLAGS],
    env: cacheIn(fixture),
    cwd: fixture.workspace.path,
  });

  agent.send(prompt('Hi'));
  agent.endInput();
  expect(await agent.exited).toMatchObject({ code: 0 });
  expect(await readdir(codeFolder(fixture))).toHaveLength(6);
});
