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

const settings = (options: object) =>
  JSON.stringify({
    compilerOptions: {
      target: 'es2022',
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      isolatedDeclarations: false,
      skipLibCheck: false,
      noEmit: true,
      ...options,
    },
    include: ['app.*'],
  });

test.each([
  ['nodenext', 'app.ts', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['nodenext', 'app.cts', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ['bundler', 'app.ts', { module: 'esnext', moduleResolution: 'bundler' }],
])('every export compiles under %s, in %s', async (_name, file, options) => {
  verifies('FB24');
  await using project = await createProject({ [file]: await everything(), 'tsconfig.json': settings(options) });
  expect(await run(process.execPath, [compiler, '-p', project.path]).catch(({ stdout }) => ({ stdout }))).toMatchObject(
    {
      stdout: '',
    },
  );
});

test('no public type is any: each kind of misuse is a compile error', async () => {
  verifies('FB24');
  const app = `
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
  const options = { module: 'nodenext', moduleResolution: 'nodenext' };
  await using project = await createProject({ 'app.ts': app, 'tsconfig.json': settings(options) });
  expect(await run(process.execPath, [compiler, '-p', project.path]).catch(({ stdout }) => ({ stdout }))).toMatchObject(
    {
      stdout: '',
    },
  );
});

test.each(ENTRIES)('$name: all declared exports can be imported and required', async ({ name, entry }) => {
  verifies('FB24');
  const print = 'process.stdout.write(JSON.stringify(Object.keys(entry).sort()))';
  await using project = await createProject({
    'imports.mjs': `import * as entry from '${name}'; ${print}`,
    'requires.cjs': `const entry = require('${name}'); ${print}`,
  });
  for (const [file, types] of [
    ['imports.mjs', entry.import.types],
    ['requires.cjs', entry.require.types],
  ] as const) {
    const { stdout } = await run(process.execPath, [project.resolve(file)]);
    expect(JSON.parse(stdout)).toEqual((await declarationsOf(types)).values);
  }
});
