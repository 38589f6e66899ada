import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire, SourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type TemporaryFolder, temporaryFolder } from '@qwen/testkit';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { packChunks } from './pack-chunks.ts';

/** A program with the files that the groups are named after; every part counts what it loads in one shared list. */
const PROGRAM = {
  'cli/src/main.ts': `import { stat } from 'node:fs/promises';
    import { loaded } from '../../shared.js';
    loaded.push('main');
    export const main = async () => (await import('./modes/stream-json.js')).turn();
    export const screen = async () => (await import('../../terminal/src/run-terminal.js')).screen();
    export const plain = async () => (await import('../../plain.cjs')).default;
    export const sizeOf = async (path: string) => (await stat(path)).size;
    export const address = import.meta.url;`,
  'cli/src/modes/stream-json.ts': `import { loaded } from '../../../shared.js';
    loaded.push('mode');
    export const turn = async () => (await import('../../../host/src/compose.js')).compose();`,
  'host/src/compose.ts': `import { loaded } from '../../shared.js';
    loaded.push('turn');
    export const compose = async () => {
      await Promise.all([
        import('../../models/src/openai-compatible/index.js'),
        import('../../agent/src/loop/run-tools.js'),
        import('./rare.js'),
      ]);
      return loaded;
    };`,
  'host/src/rare.ts': `import { loaded } from '../../shared.js';
    import { colours } from './colours.js';
    loaded.push('rare');
    export const rare = colours;`,
  'host/src/colours.ts': `import { loaded } from '../../shared.js'; loaded.push('colours'); export const colours = 8;`,
  'terminal/src/run-terminal.tsx': `import { loaded } from '../../shared.js';
    import { colours } from '../../host/src/colours.js';
    loaded.push('terminal');
    export const screen = () => [colours, ...loaded];`,
  'models/src/openai-compatible/index.ts': `import { loaded } from '../../../shared.js'; loaded.push('model'); export const model = 1;`,
  'agent/src/loop/run-tools.ts': `import { loaded } from '../../../shared.js'; loaded.push('calls'); export const calls = 1;`,
  'plain.cjs': `module.exports = () => 'plain'; module.exports.member = 1;`,
  'shared.ts': `export const loaded: string[] = [];`,
};

async function packed(folder: TemporaryFolder, addition = ''): Promise<string> {
  for (const [name, source] of Object.entries(PROGRAM)) await folder.write(name, source);
  await folder.write('cli/src/main.ts', addition + PROGRAM['cli/src/main.ts']);
  const dist = folder.resolve('cli/dist');
  const { metafile } = await build({
    absWorkingDir: folder.resolve('cli'),
    entryPoints: ['src/main.ts'],
    outdir: dist,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    metafile: true,
    sourcemap: true,
  });
  await writeFile(`${dist}/metafile-esm.json`, JSON.stringify(metafile));
  await packChunks(dist);
  return dist;
}

test('chunks that load together are one file, the rest separate ones, and no code runs twice', async () => {
  await using folder = await temporaryFolder();
  const dist = await packed(folder);
  const names = (await readdir(dist)).filter((name) => name.endsWith('.cjs') || name.endsWith('.js'));
  const [shared, rare] = [expect.stringMatching(/^chunk-\w+\.cjs$/), expect.stringMatching(/^rare-\w+\.cjs$/)];
  const plain = expect.stringMatching(/^plain-\w+\.cjs$/);
  expect(names.toSorted()).toEqual([
    'calls.cjs',
    shared,
    'client.cjs',
    plain,
    rare,
    'start.cjs',
    'terminal.cjs',
    'turn.cjs',
  ]);
  const { main } = createRequire(pathToFileURL(`${dist}/x.cjs`))('./start.cjs');
  expect((await main.main()).toSorted()).toEqual(['calls', 'colours', 'main', 'mode', 'model', 'rare', 'turn']);
  expect(await main.screen()).toContain('terminal');
  expect((await main.plain())()).toBe('plain');
  expect(main.address).toBe(pathToFileURL(`${dist}/start.cjs`).href);
  expect(await main.sizeOf(`${dist}/start.cjs`)).toBeGreaterThan(100);
});

test('code for one mode is not part of what others load', async () => {
  await using folder = await temporaryFolder();
  const dist = await packed(folder);
  const terminal = await readFile(`${dist}/terminal.cjs`, 'utf8');
  expect(terminal).not.toContain('push("colours")');
  // What other files hold is taken from them as it is, without a wrapper for each.
  expect(terminal).toMatch(/=require\("\.\/start\.cjs"\)\["chunk-\w+"\]/);
  expect(terminal).not.toContain('__commonJS');
});

test('source maps map the packed files to the sources', async () => {
  await using folder = await temporaryFolder();
  const dist = await packed(folder);
  const files = (await readdir(dist)).filter((name) => name.endsWith('.cjs'));
  expect((await readdir(dist)).filter((name) => name.endsWith('.map')).toSorted()).toEqual(
    files.map((name) => `${name}.map`).toSorted(),
  );
  for (const [file, word, source] of [
    ['start.cjs', 'push("main")', 'cli/src/main.ts'],
    ['client.cjs', 'push("model")', 'models/src/openai-compatible/index.ts'],
    ['terminal.cjs', 'push("terminal")', 'terminal/src/run-terminal.tsx'],
  ] as const) {
    const code = await readFile(`${dist}/${file}`, 'utf8');
    expect(code).toContain(`//# sourceMappingURL=${file}.map\n`);
    const before = code.slice(0, code.indexOf(word)).split('\n');
    const map = new SourceMap(JSON.parse(await readFile(`${dist}/${file}.map`, 'utf8')));
    const entry = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
    expect(entry).toMatchObject({
      originalSource: expect.stringMatching(new RegExp(`${source.slice(source.indexOf('/') + 1)}$`)),
    });
    const original = PROGRAM[source].split('\n')['originalLine' in entry ? entry.originalLine : 0];
    expect(original).toContain(word.replaceAll('"', "'"));
  }
});

test('lines stay short, because Node.js prints the line of an uncaught error', async () => {
  await using folder = await temporaryFolder();
  const statements = Array.from({ length: 200 }, (_, index) => `globalThis.value${index} = ${index};`).join('\n');
  await folder.write('long.ts', statements);
  const dist = await packed(folder, "import '../../long.js';");
  const lines = (await readFile(`${dist}/start.cjs`, 'utf8')).split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(1_000);
});

test('each file ends with a digest of its content', async () => {
  await using folder = await temporaryFolder();
  const dist = await packed(folder);
  const start = await readFile(`${dist}/start.cjs`, 'utf8');
  expect(start).toMatch(/\/\/[\da-f]{16}\n$/);
  expect(await readFile(`${dist}/turn.cjs`, 'utf8')).not.toContain(start.slice(-17, -1));
});

test('packed files contain only ASCII, and regular expressions still match', async () => {
  await using folder = await temporaryFolder();
  const dist = await packed(folder, 'export const dash = () => /^[–—]😀$/u.test("–😀") && /^é$/.test("é");');
  const start = await readFile(`${dist}/start.cjs`, 'latin1');
  expect(start.match(/[\x80-\xff]/)).toBeNull();
  expect(createRequire(pathToFileURL(`${dist}/x.cjs`))('./start.cjs').main.dash()).toBe(true);
});

test('a group whose module is not a separate chunk stops the build', async () => {
  await using folder = await temporaryFolder();
  const dist = folder.resolve('dist');
  await folder.write('dist/metafile-esm.json', JSON.stringify({ inputs: {}, outputs: {} }));
  await expect(packChunks(dist)).rejects.toThrow('src/main.ts');
});
