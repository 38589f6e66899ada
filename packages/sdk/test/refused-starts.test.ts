import { isolatedEnvironment, resourceBaseline, type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { createPool, openSession, type QueryOptions, query, startup } from '../src/index.js';
import { collect, failureOf } from './programs.js';

// The built CLI, found as a dependency of this package.
const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

const OLD_NODE = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.12.0'}})`;

interface Refusal {
  readonly what: string;
  /** Makes the start fail. */
  readonly options: (folder: TemporaryFolder, env: Record<string, string>) => Promise<QueryOptions> | QueryOptions;
  readonly code: string;
  readonly message: RegExp;
}

const REFUSALS: readonly Refusal[] = [
  {
    what: 'a flag that the CLI refuses',
    options: () => ({ extraArgs: ['--heartbeat-interval=often'] }),
    code: 'usage',
    message: /^--heartbeat-interval\b.*often/,
  },
  {
    what: 'a file that is not there',
    options: () => ({ extraArgs: ['--mcp-config=missing.json'] }),
    code: 'usage',
    message: /^--mcp-config: the file .*missing\.json/,
  },
  {
    what: 'a file that cannot be written',
    options: () => ({ extraArgs: ['--record=missing/record.jsonl'] }),
    code: 'storage_unwritable',
    message: /^--record: .*missing.record\.jsonl cannot be written/,
  },
  {
    what: 'an invalid settings file',
    options: async (folder) => {
      await folder.write('home/.qwen/settings.json', '{ "model": 5 }');
      return {};
    },
    code: 'invalid_settings',
    message: /settings\.json.*model/s,
  },
  {
    what: 'an old Node.js',
    options: (_folder, env) => ({
      env: { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(OLD_NODE)}` },
    }),
    code: 'unsupported_node',
    message: /^Node\.js 22\.13 or newer is required, but \S+ is 22\.12\.0\. Install/,
  },
];

const ENTRANCES = {
  'query()': async (options: QueryOptions) => collect(query({ prompt: 'hi', options })),
  'query() with an open input': async (options: QueryOptions) => {
    const gate = Promise.withResolvers<void>();
    const prompts = (async function* () {
      yield { type: 'user' as const, message: { role: 'user' as const, content: 'hi' }, parent_tool_use_id: null };
      await gate.promise;
    })();
    try {
      return await collect(query({ prompt: prompts, options }));
    } finally {
      gate.resolve();
    }
  },
  'initialize()': async (options: QueryOptions) => {
    await using conversation = query({ prompt: 'hi', options });
    return await conversation.initialized;
  },
  'startup()': async (options: QueryOptions) => {
    await using warm = await startup(options);
    return await collect(warm.query('hi'));
  },
  'createPool()': async (options: QueryOptions) => {
    await using pool = createPool({ size: 1, options });
    return await pool.ready();
  },
  'a query of a pool': async (options: QueryOptions) => {
    await using pool = createPool({ size: 1, options });
    return await collect(pool.query('hi'));
  },
  'openSession()': async ({ cwd, env, extraArgs }: QueryOptions) => {
    await using session = await openSession({ cwd, env, extraArgs });
    return await session.prompt('hi').result;
  },
};

/** Each refusal at the first entrance and at two others; each entrance gets two refusals. */
const CASES = REFUSALS.flatMap((refusal, row) =>
  Object.entries(ENTRANCES).flatMap(([entrance, enter], column) =>
    column === 0 || (row + 2 * column) % REFUSALS.length < 2 ? [{ ...refusal, entrance, enter }] : [],
  ),
);

test.each(CASES)('$what: $entrance fails with $code', async ({ options, code, message, enter }) => {
  await using folder = await temporaryFolder();
  await folder.write('work/README.md', '');
  const env = isolatedEnvironment(folder.resolve('home'), {});
  const error = await failureOf(enter({ cwd: folder.resolve('work'), env, ...(await options(folder, env)) }));
  expect(error).toMatchObject({ name: 'AgentError', code, retryable: false, message: expect.stringMatching(message) });
});
