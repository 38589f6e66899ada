import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { isolatedEnvironment, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { control, openCliStage, prompt, RESULT } from './cli-stage.js';

/**
 * Parts of Node that cost a fresh process much and that a turn without tools does not need. The stack behind `fetch`,
 * which `Headers`, `Response`, `FormData` and any import of `node:http` load too, and what it brings along
 * (docs/decisions/0004); the crypto modules, which `crypto.randomUUID` loads (0005); what only tools and MCP use.
 */
const HEAVY = [
  'internal/deps/undici/undici',
  'http2',
  'internal/crypto/webcrypto',
  'internal/crypto/keys',
  'internal/perf/performance',
  'internal/webstreams/readablestream',
  'dns/promises',
  'child_process',
  'worker_threads',
];

test.for([
  [
    'an OpenAI-compatible',
    [/^start$/, /^turn$/],
    (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: 'sk-1' }),
  ],
  [
    'a Gemini',
    [/^start$/, /^turn$/, /^(gemini|chunk)-/, /^(gemini|chunk)-/],
    (url: string) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'key-1' }),
  ],
] as const)(
  'one turn against %s endpoint loads few files and no heavy part of Node',
  async ([, files, environmentFor]) => {
    await using stage = await openCliStage([says('Hello')]);
    const listFile = stage.workspace.resolve('modules.json');
    const preload = stage.workspace.resolve('list-modules.mjs');
    await writeFile(
      preload,
      `const fs = process.getBuiltinModule('node:fs');
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
    const loaded: { files: string[]; modules: string[] } = JSON.parse(await readFile(listFile, 'utf8'));
    expect(loaded.files).toEqual(files.map((name) => expect.stringMatching(name)));
    expect(loaded.modules).toContain('NativeModule http');
    expect(loaded.modules.filter((name) => HEAVY.includes(name.replace('NativeModule ', '')))).toEqual([]);
  },
);
