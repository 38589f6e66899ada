import { watch } from 'node:fs';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliStage, openCliStage } from './cli-stage.js';

const PADDING = 'x'.repeat(300_000);
const AN_HOUR_AGO = new Date(Date.now() - 3_600_000);

const folderOf = (stage: CliStage) => stage.workspace.resolve('home/.qwen');
const settingsOf = async (stage: CliStage): Promise<{ padding?: string; mcpServers?: object }> =>
  JSON.parse(await readFile(`${folderOf(stage)}/settings.json`, 'utf8'));

/** Adds a server to the settings and is killed when its folder changes for the n-th time. Gives whether it was. */
async function addAndKill(stage: CliStage, name: string, moment: number): Promise<boolean> {
  let changes = 0;
  let kill = (): void => undefined;
  const watcher = watch(folderOf(stage), () => {
    changes += 1;
    if (changes === moment) kill();
  });
  const program = await stage.start(['mcp', 'add', '--scope', 'user', name, 'true']);
  kill = () => program.kill('SIGKILL');
  program.endInput();
  const { signal } = await program.exited;
  watcher.close();
  return signal === 'SIGKILL';
}

test('killed at any moment of a change, the settings are the old or the new ones, and what is left over goes', async () => {
  verifies('F93');
  await using stage = await openCliStage();
  await stage.workspace.write('home/.qwen/settings.json', JSON.stringify({ padding: PADDING }));
  let kills = 0;
  for (let moment = 1; moment <= 12; moment += 1) {
    const before = Object.keys((await settingsOf(stage)).mcpServers ?? {});
    if (await addAndKill(stage, `server-${moment}`, moment)) kills += 1;
    const { padding, mcpServers = {} } = await settingsOf(stage);
    expect(padding).toBe(PADDING);
    expect([before.join(), [...before, `server-${moment}`].join()]).toContain(Object.keys(mcpServers).join());
  }
  expect(kills).toBeGreaterThan(2);
  for (const name of await readdir(folderOf(stage))) {
    await utimes(`${folderOf(stage)}/${name}`, AN_HOUR_AGO, AN_HOUR_AGO);
  }
  await addAndKill(stage, 'last', Number.POSITIVE_INFINITY);
  expect((await readdir(folderOf(stage))).filter((name) => /[\da-f]{12}/.test(name))).toEqual([]);
  expect((await settingsOf(stage)).mcpServers).toHaveProperty('last');
}, 60_000);
