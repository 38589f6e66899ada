import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createServer } from '@qwen/server';
import { COMPILE_CACHES, hasPrograms, startScriptedModel, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { SCENARIOS } from './scenarios.ts';

const run = promisify(execFile);
const here = import.meta.dirname;

/** Starts a server; the returned variables contain its address and token. */
async function serve(workspace: string, env: Record<string, string | undefined>) {
  const token = 'the-token-of-the-example';
  const server = await createServer({ store: 'memory:', token, workspace, launch: { env } });
  const { url } = await server.listen({ port: 0 });
  return {
    env: { QWEN_SERVER_URL: url, QWEN_SERVER_TOKEN: token },
    [Symbol.asyncDispose]: () => server.close({ graceMs: 0 }),
  };
}

test('each numbered example has a scenario', async () => {
  const files = (await readdir(here)).filter((file) => /^\d\d-.*\.ts$/.test(file));
  expect(Object.keys(SCENARIOS).toSorted()).toEqual(files.map((file) => file.replace(/\.ts$/, '')).toSorted());
});

test.for(Object.entries(SCENARIOS))('%s', async ([name, scenario], { skip }) => {
  verifies('O-53');
  const { needs = [] } = scenario;
  if (!hasPrograms(...needs)) skip(`not all of ${needs.join(', ')} are installed`);
  await using workspace = await temporaryFolder();
  for (const [file, text] of Object.entries(scenario.files ?? {})) await writeFile(join(workspace.path, file), text);
  await using model = await startScriptedModel(scenario.replies, { tokensPerSecond: scenario.tokensPerSecond });

  const env = { PATH: process.env['PATH'], HOME: workspace.path, ...COMPILE_CACHES, ...model.env };
  await using server = scenario.server === true ? await serve(workspace.path, env) : undefined;

  const { stdout } = await run(process.execPath, [join(here, `${name}.ts`)], {
    cwd: workspace.path,
    env: { ...env, ...server?.env },
  });

  const lines = stdout.split('\n');
  for (const line of scenario.prints) expect(lines).toContain(line);
  for (const [file, text] of Object.entries(scenario.leaves ?? {})) {
    expect(await readFile(join(workspace.path, file), 'utf8')).toBe(text);
  }
});

test('the demo edits the file, asks for permission and calls the tool in this process', async () => {
  const { stdout } = await run(process.execPath, [join(here, 'demo.ts')], {
    env: { PATH: process.env['PATH'], ...COMPILE_CACHES },
  });
  expect(stdout).toMatch(/asked {2}may the agent use edit\?/);
  expect(stdout).toMatch(/tool {2}price_of\("Espresso"\) runs in this process/);
  expect(stdout).toContain('- Espresso: 2.40 EUR');
});
