import { chmod } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import cliPackage from '@qwen/cli/package.json' with { type: 'json' };
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { findCli, scriptOfCommandShim } from './find-cli.js';

/** Node takes it; what starts by other means than Node does not get it. */
const HEAP_FLAG = '--min-semi-space-size=16';

/** A folder with executable files called as given. */
async function folderWith(...names: readonly string[]) {
  const folder = await temporaryFolder();
  for (const name of names) await chmod(await folder.write(name, '#!/bin/sh\n'), 0o755);
  return folder;
}

const search = (folder: { readonly path: string }, path: readonly string[]) => ({
  environment: { PATH: path.join(delimiter) },
  cwd: folder.path,
  folders: [folder.path],
});

test('the given file comes first: scripts run by this Node.js, anything else by itself', async () => {
  await using folder = await folderWith('cli.js', 'cli.ts', 'qwen-native');
  const at = (name: string) => findCli({ ...search(folder, []), pathToQwenExecutable: folder.resolve(name) });
  for (const script of ['cli.js', 'cli.ts']) {
    expect(at(script)).toEqual({
      command: process.execPath,
      leadingArgs: [HEAP_FLAG, folder.resolve(script)],
      env: {},
    });
  }
  expect(at('qwen-native')).toEqual({ command: folder.resolve('qwen-native'), leadingArgs: [], env: {} });
});

test('the CLI that is installed with the SDK comes next, then the PATH', async () => {
  verifies('FB21');
  await using folder = await folderWith('bin/qwen', `node_modules/@qwen/cli/${cliPackage.bin.qwen}`);
  await folder.write('node_modules/@qwen/cli/package.json', '{"name":"@qwen/cli"}');
  const installed = folder.resolve('node_modules', '@qwen', 'cli', 'bin', 'qwen.js');
  expect(findCli(search(folder, [folder.resolve('bin')])).leadingArgs).toEqual([HEAP_FLAG, installed]);
  await using other = await folderWith();
  expect(findCli(search(other, [folder.resolve('bin')])).command).toBe(folder.resolve('bin', 'qwen'));
});

test('a bundled SDK finds the CLI that its package depends on', async () => {
  verifies('FB21');
  await using folder = await folderWith('node_modules/@qwen/sdk/node_modules/@qwen/cli/bin/qwen.js');
  await folder.write('node_modules/@qwen/sdk/package.json', '{"name":"@qwen/sdk"}');
  await folder.write('node_modules/@qwen/sdk/node_modules/@qwen/cli/package.json', '{"name":"@qwen/cli"}');
  expect(findCli(search(folder, [])).leadingArgs.at(-1)).toContain(join('sdk', 'node_modules', '@qwen', 'cli', 'bin'));
});

test('a copy next to the app comes before the installed CLI', async () => {
  verifies('FB21');
  await using folder = await folderWith('qwen-cli/bin/qwen.js', 'node_modules/@qwen/cli/bin/qwen.js');
  expect(findCli(search(folder, [])).leadingArgs.at(-1)).toBe(folder.resolve('qwen-cli', 'bin', 'qwen.js'));
});

test('finds the CLI in what a tracer copied from the store of pnpm, in the version of the SDK', async () => {
  verifies('FB21');
  const stored = (version: string) => `node_modules/.pnpm/@qwen+cli@${version}/node_modules/@qwen/cli/bin/qwen.js`;
  await using folder = await folderWith(stored('0.0.1'), stored(`${cliPackage.version}_peer`), stored('99.0.0'));
  expect(findCli(search(folder, [])).leadingArgs.at(-1)).toBe(folder.resolve(stored(`${cliPackage.version}_peer`)));
});

test('uses the unpacked copy inside an Electron archive', async () => {
  verifies('FB21');
  await using folder = await folderWith('app.asar.unpacked/node_modules/@qwen/cli/bin/qwen.js');
  await folder.write('app.asar/node_modules/@qwen/cli/package.json', '{"name":"@qwen/cli"}');
  const found = findCli({
    ...search(folder, []),
    folders: [folder.resolve('app.asar')],
  });
  expect(found.leadingArgs.at(-1)).toContain('app.asar.unpacked');
});

test('never runs a program from the working directory', async () => {
  verifies('S90');
  await using folder = await folderWith('qwen', 'node_modules/.bin/qwen', 'sub/qwen');
  const path = [
    folder.path,
    `${folder.path}/`,
    folder.resolve('node_modules', '.bin'),
    '.',
    '',
    'sub',
    'node_modules/.bin',
  ];
  expect(() => findCli(search(folder, path))).toThrow(expect.objectContaining({ code: 'cli_not_found' }));
});

test('the error lists the places searched', async () => {
  verifies('F44');
  await using folder = await folderWith();
  await folder.write('qwen', 'not executable');
  const failing = (pathToQwenExecutable?: string) => {
    try {
      return findCli({ ...search(folder, [folder.resolve('nowhere')]), pathToQwenExecutable });
    } catch (error) {
      return error;
    }
  };
  expect(failing()).toMatchObject({
    code: 'cli_not_found',
    data: { tried: expect.arrayContaining(['qwen on the PATH']) },
  });
  expect(failing(folder.resolve('gone.js'))).toMatchObject({ data: { tried: [folder.resolve('gone.js')] } });
  expect(failing(folder.path)).toMatchObject({ data: { tried: [folder.path] } });
  expect(failing('other-name')).toMatchObject({ data: { tried: ['other-name on the PATH'] } });
});

const NPM_SHIM = `@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@qwen\\cli\\bin\\qwen.js" %*
`;

const PNPM_SHIM = `@IF EXIST "%~dp0\\node.exe" (
  "%~dp0\\node.exe"  "%~dp0\\..\\@qwen\\cli\\bin\\qwen.js" %*
)
`;

test.each([
  ['a path', { pathToQwenExecutable: '/no/such/qwen.js' }, 'Set pathToQwenExecutable to an existing file'],
  ['a bundle', {}, 'call copyCli() of @qwen/sdk/bundle'],
  ['an installation', { folders: [join('/app/node_modules/@qwen/sdk/dist')] }, 'Install @qwen/cli'],
  ['an archive', { folders: [join('/app/resources/app.asar/out')] }, 'asarUnpack'],
])('for %s without a CLI the error names the next step', async (_case, options, next) => {
  verifies('F44');
  await using folder = await folderWith();
  expect(() => findCli({ ...search(folder, []), ...options })).toThrow(next);
});

test('the script started by a .cmd file is found without a shell', () => {
  verifies('FB22', 'S90');
  expect(scriptOfCommandShim(NPM_SHIM, 'C:\\npm\\qwen.cmd')).toBe('C:\\npm\\node_modules\\@qwen\\cli\\bin\\qwen.js');
  expect(scriptOfCommandShim(PNPM_SHIM, 'C:\\a\\.bin\\qwen.cmd')).toBe('C:\\a\\@qwen\\cli\\bin\\qwen.js');
});

test('any other batch file is not started', () => {
  expect(scriptOfCommandShim('@echo off\r\nstart calc.exe', 'C:\\x\\qwen.cmd')).toBeUndefined();
});
