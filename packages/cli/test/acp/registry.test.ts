import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openAcpFixture } from './acp-fixture.js';

const read = async (name: string) => JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8'));

test('the entry of the registry names this version and starts the agent', async () => {
  const [entry, { name, version, license }] = await Promise.all([read('agent.json'), read('package.json')]);
  expect(entry).toMatchObject({ version, license, distribution: { npx: { package: `${name}@${version}` } } });
  expect(entry.id).toMatch(/^[a-z][a-z0-9-]*$/);
  await using fixture = await openAcpFixture();
  const editor = await fixture.open({ args: entry.distribution.npx.args, doesInitialize: false });
  const answer = await editor.agent.request('initialize', { protocolVersion: 1 });
  expect(answer.agentInfo).toMatchObject({ name: entry.id, title: entry.name, version });
  // The registry lists only agents with authentication.
  expect(answer.authMethods).not.toEqual([]);
});
