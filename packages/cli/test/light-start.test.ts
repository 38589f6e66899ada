import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { isolatedEnvironment, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { control, openCliStage, prompt, RESULT } from './cli-stage.js';

/**
 * Parts of Node that cost a fresh process more than all of our own code (docs/decisions/0004): the stack behind `fetch`,
 * which `Headers`, `Response`, `FormData` and any import of `node:http` load too, and what it brings along.
 */
const HEAVY = ['internal/deps/undici/undici', 'http2'];

test.for([
  ['an OpenAI-compatible', (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'sk-1' })],
  ['a Gemini', (url: string) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'key-1' })],
] as const)('one turn against %s endpoint does not load what is behind `fetch`', async ([, environmentFor]) => {
  await using stage = await openCliStage([says('Hello')]);
  const listFile = stage.workspace.resolve('modules.json');
  const preload = stage.workspace.resolve('list-modules.mjs');
  await writeFile(
    preload,
    `const { writeFileSync } = process.getBuiltinModule('node:fs');
    process.on('exit', () => writeFileSync(${JSON.stringify(listFile)}, JSON.stringify(process.moduleLoadList)));`,
  );
  const agent = await stage.startMachine([], {
    env: isolatedEnvironment(stage.workspace.resolve('home'), {
      ...environmentFor(stage.model.mock.url),
      NODE_OPTIONS: `--import=${pathToFileURL(preload).href}`,
    }),
  });
  agent.send(control('init', { subtype: 'initialize' }));
  agent.send(prompt('Hi'));
  agent.endInput();
  expect(await agent.next(RESULT)).toMatchObject({ result: 'Hello' });
  expect(await agent.exited).toMatchObject({ code: 0 });
  const loaded: unknown = JSON.parse(await readFile(listFile, 'utf8'));
  expect(loaded).toContain('NativeModule http');
  for (const name of HEAVY) expect(loaded).not.toContain(`NativeModule ${name}`);
});
