import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isolatedEnvironment, says, startLineProcess, startScriptedModel, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';

// Every member of the schema that qwen-code ships is either honoured or named in one notice.

const require = createRequire(import.meta.url);
const THEIRS = require.resolve('@qwen-code/qwen-code/cli.js');
const CHUNKS = join(dirname(THEIRS), 'chunks');
const PAGE = fileURLToPath(new URL('../../../docs/from-qwen-code.md', import.meta.url));
const QWEN = fileURLToPath(new URL('../../../packages/cli/bin/qwen.js', import.meta.url));

interface SchemaMember {
  readonly type: string;
  readonly options?: readonly { readonly value: unknown }[];
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaMember>>;
}

type Schema = Readonly<Record<string, SchemaMember>>;

/** The file has a hash in its name. */
async function readSchema(): Promise<Schema> {
  for (const name of readdirSync(CHUNKS)) {
    const path = join(CHUNKS, name);
    if (!name.endsWith('.js') || !readFileSync(path, 'utf8').includes('SETTINGS_SCHEMA = {')) continue;
    const module = (await import(pathToFileURL(path).href)) as { readonly getSettingsSchema: () => Schema };
    return module.getSettingsSchema();
  }
  throw new Error('found no schema');
}

/** A value of the right type. */
function valueOf({ type, options }: SchemaMember): unknown {
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return 7;
  if (type === 'enum') return options?.at(-1)?.value;
  if (type === 'array') return ['something'];
  return type === 'object' ? { something: 7 } : 'something';
}

function fill(schema: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]) => {
      const { properties } = member;
      const hasMore = properties !== undefined && Object.keys(properties).length > 0;
      return [name, hasMore ? fill(properties) : valueOf(member)];
    }),
  );
}

function pathsOf(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, member]) => pathsOf(member, path === '' ? name : `${path}.${name}`));
}

/** Those with an effect, with the values of this test. */
const HONOURED = [
  'context.fileFiltering.respectGitIgnore',
  'context.fileFiltering.respectQwenIgnore',
  'context.includeDirectories',
  'disableAllHooks',
  'mcp.allowed',
  'mcp.excluded',
  'model.baseUrl',
  'model.generationConfig.contextWindowSize',
  'model.generationConfig.enableCacheControl',
  'model.generationConfig.timeout',
  'model.maxSessionTurns',
  'model.maxToolCalls',
  'model.maxWallTimeSeconds',
  'model.name',
  'model.reasoningEffort',
  'model.sessionTokenLimit',
  'modelFallbacks',
  'permissions.ask',
  'permissions.deny',
  'proxy',
  'security.auth.apiKey',
  'security.auth.baseUrl',
  'security.folderTrust.enabled',
  'tools.allowed',
  'tools.disabled',
  'tools.exclude',
  'ui.accessibility.screenReader',
];

test('each member of the schema has an effect or is reported', async () => {
  const file = fill(await readSchema());
  const members = pathsOf(file, '');
  expect(members.length).toBeGreaterThan(300);
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([says('done')]);
  // Hooks of no kind would count as lost guards, and a proxy would be used.
  await folder.write('home/.qwen/settings.json', JSON.stringify({ $version: 4, ...file, proxy: '' }));
  await using program = await startLineProcess({
    command: process.execPath,
    args: [QWEN, '-p', 'go', '-o', 'json', '--model', 'm'],
    env: isolatedEnvironment(folder.resolve('home'), model.env),
    cwd: folder.path,
  });
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  const output = program.lines.map(({ text }) => text).join('\n') + program.stderr;
  const [, list = ''] = /Members without effect: (.*)\./.exec(output) ?? [];
  const named = list.split(', ').map((text) => text.replace(/ \(.*$/, ''));
  const isNamed = (member: string) =>
    named.some((name) => name === member || name.startsWith(`${member}.`) || member.startsWith(`${name}.`));
  expect(members.filter((member) => !isNamed(member)).toSorted()).toEqual(HONOURED);
  const page = readFileSync(PAGE, 'utf8');
  const ofConfig = (member: string) => member.replace('model.generationConfig.', '');
  expect(HONOURED.filter((member) => !page.includes(`\`${ofConfig(member)}\``))).toEqual([]);
});
