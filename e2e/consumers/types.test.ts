import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { readDeclaredExports } from './declared-exports.ts';
import { createProject, SDK_FOLDER } from './project.ts';

// The built package in the hands of a strict app: nothing is skipped, the declarations of dependencies included.
const run = promisify(execFile);
const require = createRequire(import.meta.url);
const compiler = require.resolve('typescript/package.json').replace('package.json', 'bin/tsc');

const { exports: entries } = JSON.parse(await readFile(`${SDK_FOLDER}/package.json`, 'utf8')) as {
  exports: Record<string, { import: { types: string }; require: { types: string } } | string>;
};
const ENTRIES = Object.entries(entries).flatMap(([path, entry]) =>
  typeof entry === 'string' ? [] : [{ name: path.replace(/^\./, '@qwen/sdk'), entry }],
);

const declarationsOf = async (file: string) => readDeclaredExports(await readFile(`${SDK_FOLDER}/${file}`, 'utf8'));

/** An app that takes everything in its hands, by its name. */
async function everything(): Promise<string> {
  const lines: string[] = [];
  for (const [index, { name, entry }] of ENTRIES.entries()) {
    const { types, values } = await declarationsOf(entry.import.types);
    lines.push(
      // Entries may share names.
      `import { ${values.map((value) => `${value} as ${value}${index}`).join(', ')} } from '${name}';`,
      `export type { ${types.map((type) => `${type} as ${type}${index}`).join(', ')} } from '${name}';`,
      `export const values${index} = [${values.map((value) => `${value}${index}`).join(', ')}];`,
    );
  }
  return lines.join('\n');
}

const MISUSE = `
  import { createSdkMcpServer, query, tool, type SDKMessage, type PermissionResult } from '@qwen/sdk';
  // @ts-expect-error an option that does not exist
  query({ prompt: 'x', options: { modell: 'y' } });
  // @ts-expect-error a mode that does not exist
  query({ prompt: 'x', options: { permissionMode: 'auto-everything' } });
  // @ts-expect-error neither allow nor deny
  export const result: PermissionResult = { behavior: 'perhaps' };
  // @ts-expect-error a message is one of a union
  export const type = (message: SDKMessage): 'never' => message.type;
  // @ts-expect-error a server needs a name
  createSdkMcpServer({ tools: [] });
  tool('t', 'd', { type: 'object' }, (input) => {
    // @ts-expect-error what a JSON Schema gives is unknown
    input.a.b();
    return { content: [] };
  });
`;

async function compile(files: Readonly<Record<string, string>>, options: object): Promise<string> {
  const compilerOptions = {
    target: 'es2022',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  };
  const settings = JSON.stringify({ compilerOptions, files: Object.keys(files) });
  await using project = await createProject({ ...files, 'tsconfig.json': settings });
  const { stdout, stderr } = await run(process.execPath, [compiler, '-p', project.path]).catch(
    (failure: { stdout: string; stderr: string }) => failure,
  );
  return stdout + stderr;
}

test('every export compiles in both module formats, and no public type is any', async () => {
  verifies('FB24');
  const app = await everything();
  const files = { 'app.ts': app, 'common.cts': app, 'misuse.ts': MISUSE };
  expect(await compile(files, { module: 'nodenext', moduleResolution: 'nodenext' })).toBe('');
});

test('every export compiles for a bundler', async () => {
  verifies('FB24');
  const options = { module: 'esnext', moduleResolution: 'bundler' };
  expect(await compile({ 'app.ts': await everything() }, options)).toBe('');
});

/** Functions that refuse to run, so that apps that import them start. */
const REFUSED = [
  'filterEscalatingDefaultMode',
  'foldSessionSummary',
  'getSubagentMessages',
  'listSubagents',
  'resolveSettings',
  'tagSession',
];

test('all declared exports can be imported and required', async () => {
  verifies('FB24');
  const print = `process.stdout.write(JSON.stringify(entries.map((entry) => Object.keys(entry).sort())))`;
  const imports = ENTRIES.map(({ name }, index) => `import * as entry${index} from '${name}';`).join('\n');
  const list = `const entries = [${ENTRIES.map((_, index) => `entry${index}`).join(', ')}];`;
  const requires = `const entries = [${ENTRIES.map(({ name }) => `require('${name}')`).join(', ')}];`;
  await using project = await createProject({
    'imports.mjs': `${imports}\n${list} ${print}`,
    'requires.cjs': `${requires} ${print}`,
  });
  for (const [file, format] of [
    ['imports.mjs', 'import'],
    ['requires.cjs', 'require'],
  ] as const) {
    const { stdout } = await run(process.execPath, [project.resolve(file)]);
    const declared = await Promise.all(ENTRIES.map(({ entry }) => declarationsOf(entry[format].types)));
    const exported = ENTRIES.map(({ name }, index) => {
      const values = declared[index]?.values ?? [];
      return name === '@qwen/sdk/claude' ? [...values, ...REFUSED].toSorted() : values;
    });
    expect(JSON.parse(stdout)).toEqual(exported);
  }
});
