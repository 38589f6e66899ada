import { readFile, writeFile } from 'node:fs/promises';
import { isolatedEnvironment, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

/**
 * Parts of Node that cost a fresh process more than all of our own code (docs/decisions/0004): the stack behind `fetch`,
 * which `Headers`, `Response`, `FormData` and any import of `node:http` load too, and what it brings along.
 */
const HEAVY = ['internal/deps/undici/undici', 'http2'];
/** What else a turn without tools does not need; the client of Gemini loads some of it. */
const NEEDLESS = [
  'internal/perf/performance',
  'internal/webstreams/readablestream',
  'dns/promises',
  'child_process',
  'internal/crypto/webcrypto',
  'worker_threads',
];

const CASES = [
  {
    family: 'an OpenAI-compatible',
    files: [/^start$/, /^turn$/, /^client$/],
    unwanted: [...HEAVY, ...NEEDLESS],
    environmentFor: (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'sk-1' }),
  },
  {
    family: 'a Gemini',
    files: [/^start$/, /^turn$/, ...Array.from({ length: 3 }, () => /^client$|^(gemini|chunk)-/)],
    unwanted: HEAVY,
    environmentFor: (url: string) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'key-1' }),
  },
];

test.for(CASES)(
  'one turn against $family endpoint loads few files and no heavy part of Node.js',
  async ({ files, unwanted, environmentFor }) => {
    await using fixture = await openCliFixture([says('Hello')]);
    const listFile = fixture.workspace.resolve('modules.json');
    const preload = fixture.workspace.resolve('list-modules.cjs');
    await writeFile(
      preload,
      `const fs = require('node:fs');
    const { readFileSync, writeFileSync } = fs;
    const files = [];
    fs.readFileSync = (path, ...args) => {
      const [, name] = /([^/]+)\\.cjs$/.exec(String(path)) ?? [];
      if (name !== undefined) files.push(name);
      return readFileSync(path, ...args);
    };
    const report = () => JSON.stringify({ files, modules: process.moduleLoadList });
    process.on('exit', () => writeFileSync(${JSON.stringify(listFile)}, report()));`,
    );
    const agent = await fixture.startMachine([], {
      env: isolatedEnvironment(fixture.workspace.resolve('home'), {
        ...environmentFor(fixture.model.mock.url),
        NODE_OPTIONS: `--require ${JSON.stringify(preload)}`,
      }),
    });
    agent.send(control('init', { subtype: 'initialize' }));
    agent.send(prompt('Hi'));
    agent.endInput();
    expect(await agent.next(RESULT)).toMatchObject({ result: 'Hello' });
    expect(await agent.exited).toMatchObject({ code: 0 });
    const loaded: { files: string[]; modules: string[] } = JSON.parse(await readFile(listFile, 'utf8'));
    expect(loaded.files).toEqual(files.map((name) => expect.stringMatching(name)));
    expect(loaded.modules).toContain('NativeModule http');
    expect(loaded.modules.filter((name) => unwanted.includes(name.replace('NativeModule ', '')))).toEqual([]);
  },
);
