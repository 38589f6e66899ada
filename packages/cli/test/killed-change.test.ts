import { watch } from 'node:fs';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture } from './cli-fixture.js';

const PADDING = 'x'.repeat(300_000);
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

const folderOf = (fixture: CliFixture) => fixture.workspace.resolve('home/.qwen');
const settingsOf = async (fixture: CliFixture): Promise<{ padding?: string; mcpServers?: object }> =>
  JSON.parse(await readFile(`${folderOf(fixture)}/settings.json`, 'utf8'));

/** Adds a server to the settings and is killed when its folder changes for the n-th time. Gives whether it was. */
async function addAndKill(fixture: CliFixture, name: string, moment: number): Promise<boolean> {
  let changes = 0;
  let kill = (): void => undefined;
  const watcher = watch(folderOf(fixture), () => {
    changes += 1;
    if (changes === moment) kill();
  });
  const program = await fixture.start(['mcp', 'add', '--scope', 'user', name, 'true']);
  kill = () => program.kill('SIGKILL');
  program.endInput();
  const { signal } = await program.exited;
  watcher.close();
  return signal === 'SIGKILL';
}

test('a kill at any moment of a change leaves the old or the new settings and no temporary file', async () => {
  verifies('F93');
  await using fixture = await openCliFixture();
  await fixture.workspace.write('home/.qwen/settings.json', JSON.stringify({ padding: PADDING }));
  let kills = 0;
  for (let moment = 1; moment <= 12; moment += 1) {
    const before = Object.keys((await settingsOf(fixture)).mcpServers ?? {});
    if (await addAndKill(fixture, `server-${moment}`, moment)) kills += 1;
    const { padding, mcpServers = {} } = await settingsOf(fixture);
    expect(padding).toBe(PADDING);
    expect([before.join(), [...before, `server-${moment}`].join()]).toContain(Object.keys(mcpServers).join());
  }
  expect(kills).toBeGreaterThan(2);
  for (const name of await readdir(folderOf(fixture))) {
    await utimes(`${folderOf(fixture)}/${name}`, AN_HOUR_AGO, AN_HOUR_AGO);
  }
  await addAndKill(fixture, 'last', Number.POSITIVE_INFINITY);
  expect((await readdir(folderOf(fixture))).filter((name) => /[\da-f]{12}/.test(name))).toEqual([]);
  expect((await settingsOf(fixture)).mcpServers).toHaveProperty('last');
}, 60_000);
