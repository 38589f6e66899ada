import { createRequire } from 'node:module';
import { basename, delimiter, dirname, extname, isAbsolute, join, resolve, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentError, QWEN_VERSION } from '@qwen/protocol';

export interface CliCommand {
  readonly command: string;
  readonly leadingArgs: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface CliSearch {
  readonly pathToQwenExecutable?: string | undefined;
  readonly executable?: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Programs in it are never used. */
  readonly cwd: string;
  /** Where to search first. Default: {@link foldersOfApp}. */
  readonly folders?: readonly string[] | undefined;
}

/** Throws `unsupported_node`. */
export function refuseOldNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 13)) return;
  throw new AgentError(
    'unsupported_node',
    `@qwen/sdk needs Node.js 22.13 or newer, but ${process.execPath} is ${version}. Install a newer Node.js from https://nodejs.org`,
  );
}

// Node.js 18 fails below, already on import.
if (!Object.hasOwn(process, 'getBuiltinModule')) refuseOldNode(process.versions.node);

// Importing `node:fs` would add 4 ms to the start of a query.
const { accessSync, constants, readdirSync, readFileSync, realpathSync, statSync } =
  process.getBuiltinModule('node:fs');

/** What `copyCli()` of `@qwen/sdk/bundle` creates. */
export const COPY_FOLDER = 'qwen-cli';
const CLI_SCRIPT = join('bin', 'qwen.js');
const RUN_BY_NODE: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']);
const GUIDE = 'https://github.com/qwen-agent/qwen/blob/main/docs/deploying-apps.md';

/** The given CLI, else the one copied or installed with the SDK, else `qwen` on the PATH. */
export function findCli(search: CliSearch): CliCommand {
  const tried: string[] = [];
  const given = search.pathToQwenExecutable;
  const folders = search.folders ?? foldersOfApp();
  const found =
    given === undefined
      ? (findInstalled(folders, tried) ?? findOnPath('qwen', search, tried))
      : findGiven(given, search, tried);
  const command = found === undefined ? undefined : toCommand(found, search, tried);
  if (command !== undefined) return command;
  const missing = given === undefined ? 'Could not find' : 'Invalid pathToQwenExecutable: could not find';
  const problem = found === undefined ? `${missing} the qwen CLI.` : `Could not find a program that runs ${found}.`;
  const next = found === undefined ? nextStep(given, folders) : 'Install Node.js, or set the option executable.';
  const message = `${problem} Searched: ${tried.join(', ')}. ${next} See ${GUIDE}`;
  throw new AgentError('cli_not_found', message, { data: { tried } });
}

function nextStep(given: string | undefined, folders: readonly string[]): string {
  if (given !== undefined) return 'Set pathToQwenExecutable to an existing file, or to the name of a program.';
  if (folders.some(isInArchive)) return 'Add "**/node_modules/@qwen/cli/**" to asarUnpack, and rebuild the app.';
  if (process.versions['pnp'] !== undefined) return 'Add @qwen/cli to the dependencies of the app.';
  if (folders.some((folder) => resolve(folder).includes(join('@qwen', 'sdk')))) {
    return 'Install @qwen/cli, or set the option pathToQwenExecutable.';
  }
  return 'A bundled app needs a copy: call copyCli() of @qwen/sdk/bundle in the build, install @qwen/cli, or set the option pathToQwenExecutable.';
}

function findGiven(given: string, search: CliSearch, tried: string[]): string | undefined {
  if (/^[\w.-]+$/.test(given) && !RUN_BY_NODE.has(extname(given))) return findOnPath(given, search, tried);
  const file = resolve(given);
  tried.push(file);
  return isFile(file) ? file : undefined;
}

/** Bundlers remove the URL of this file, or keep that of the build machine: then the running program counts. */
function foldersOfApp(): string[] {
  const files = [ownModule(), isElectron() ? undefined : process.argv[1], isCompiled() ? process.execPath : undefined];
  const existing = files.map((file) => (file !== undefined && isAbsolute(file) ? realFile(file) : undefined));
  const folders = existing.filter((file) => file !== undefined).map((file) => dirname(file));
  const resources: unknown = Reflect.get(process, 'resourcesPath');
  if (isElectron() && typeof resources === 'string') folders.push(join(resources, 'app.asar'), resources);
  return [...new Set(folders)];
}

function ownModule(): string | undefined {
  const address: string | undefined = import.meta.url;
  return address?.startsWith('file:') ? fileURLToPath(address) : undefined;
}

/** There, `argv[1]` belongs to the user. */
function isElectron(): boolean {
  return process.versions['electron'] !== undefined;
}

/** Whether the app and its runtime are one executable file. */
function isCompiled(): boolean {
  return isCompiledByBun() || isCompiledByDeno() || isNodeExecutable();
}

function isCompiledByBun(): boolean {
  return process.versions['bun'] !== undefined && /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/.test(process.argv[1] ?? '');
}

function isCompiledByDeno(): boolean {
  const deno: { readonly build?: { readonly standalone?: boolean } } | undefined = Reflect.get(globalThis, 'Deno');
  return deno?.build?.standalone === true;
}

/** https://nodejs.org/api/single-executable-applications.html */
function isNodeExecutable(): boolean {
  const sea: { isSea?(): boolean } | undefined = process.getBuiltinModule('node:sea');
  return sea?.isSea?.() === true;
}

/** The script of the CLI that is installed with the SDK. */
export function installedScript(): string | undefined {
  return findInstalled(foldersOfApp(), []);
}

function findInstalled(folders: readonly string[], tried: string[]): string | undefined {
  for (const folder of folders) {
    const sdk = findPackage(folder, '@qwen/sdk', 'package.json');
    const starts = sdk === undefined ? [folder] : [folder, dirname(sdk)];
    const copy = unpacked(join(folder, COPY_FOLDER, CLI_SCRIPT));
    if (isFile(copy)) return copy;
    for (const start of starts) {
      const script = findPackage(start, '@qwen/cli', CLI_SCRIPT);
      if (script !== undefined) return script;
      tried.push(`@qwen/cli, installed for ${start}`);
    }
    const stored = findInPnpmStore(folder);
    if (stored !== undefined) return stored;
  }
  const required = hasOtherLayout() ? requireCli() : undefined;
  return required !== undefined && isFile(required) ? required : undefined;
}

/** Not `require`, which also searches NODE_PATH. */
function findPackage(from: string, name: string, file: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = unpacked(join(folder, 'node_modules', name, file));
    if (isFile(candidate)) return realpathSync(candidate);
    if (folder === dirname(folder)) return undefined;
  }
}

/** Tracers copy what an app uses, but of the links of pnpm only those that they followed. */
function findInPnpmStore(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const store = join(folder, 'node_modules', '.pnpm');
    const versions = namesIn(store).filter((name) => name.startsWith('@qwen+cli@'));
    const own =
      versions.find((name) => name.slice('@qwen+cli@'.length).split(/[_(]/, 1)[0] === QWEN_VERSION) ?? versions[0];
    const script = join(store, own ?? '', 'node_modules', '@qwen', 'cli', CLI_SCRIPT);
    if (isFile(script)) return script;
    if (folder === dirname(folder)) return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A program inside an Electron archive cannot be started; its unpacked copy can. */
function unpacked(path: string): string {
  return path.replace(/\.asar(?=[\\/])/, '.asar.unpacked');
}

function isInArchive(path: string): boolean {
  return /\.asar(?:[\\/]|$)/.test(path);
}

/** Yarn Plug'n'Play and the package caches of Bun and Deno have no `node_modules`. */
function hasOtherLayout(): boolean {
  const { pnp, bun, deno } = process.versions;
  return pnp !== undefined || bun !== undefined || deno !== undefined;
}

/** The literal name also makes tracers such as @vercel/nft copy the CLI; finish-build.ts repeats it for CommonJS. */
function requireCli(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const cli: { readonly script?: unknown } = require('@qwen/cli/path');
    return typeof cli.script === 'string' ? cli.script : undefined;
  } catch {
    return undefined;
  }
}

/** Skips directories that the repository may control. */
function findOnPath(name: string, search: CliSearch, tried: string[]): string | undefined {
  const path = search.environment['PATH'] ?? search.environment['Path'] ?? '';
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  const untrusted = new Set([resolve(search.cwd), process.cwd()]);
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder) || untrusted.has(resolve(folder)) || isPackageBin(folder)) continue;
    for (const file of names.map((candidate) => join(folder, candidate))) {
      if (isFile(file) && isExecutable(file)) return file;
    }
  }
  tried.push(`${name} on the PATH`);
  return undefined;
}

function isPackageBin(folder: string): boolean {
  return resolve(folder).endsWith(join('node_modules', '.bin'));
}

function toCommand(file: string, search: CliSearch, tried: string[]): CliCommand | undefined {
  if (extname(file).toLowerCase() === '.cmd') {
    const script = scriptOfCommandShim(readFileSync(file, 'utf8'), file);
    return script === undefined ? undefined : toCommand(script, search, tried);
  }
  if (!RUN_BY_NODE.has(extname(file))) return { command: file, leadingArgs: [], env: {} };
  const { executable } = search;
  if (executable !== undefined)
    return { command: executable, leadingArgs: [...runtimeArgs(executable), file], env: {} };
  if (isCompiledByBun()) return { command: process.execPath, leadingArgs: [file], env: { BUN_BE_BUN: '1' } };
  const command = isCompiled() ? findOnPath('node', search, tried) : process.execPath;
  const env: Record<string, string> = isElectron() ? { ELECTRON_RUN_AS_NODE: '1' } : {};
  if (command === undefined) return undefined;
  return { command, leadingArgs: [...HEAP_FLAGS, ...packageLoader(), file], env };
}

/** A larger young generation saves 5% CPU time in the first turn (docs/decisions/0006). In MiB. */
const HEAP_FLAGS: readonly string[] =
  process.versions['bun'] === undefined && process.versions['deno'] === undefined ? ['--min-semi-space-size=16'] : [];

/** The CLI does not inherit NODE_OPTIONS, with which Yarn Plug'n'Play loads its resolver. */
function packageLoader(): readonly string[] {
  if (process.versions['pnp'] === undefined) return [];
  return ['--require', createRequire(ownModule() ?? process.argv[1] ?? process.execPath).resolve('pnpapi')];
}

/** The script that a `.cmd` file starts. Run directly, because a shell would interpret the arguments. */
export function scriptOfCommandShim(text: string, shimPath: string): string | undefined {
  const relative = /"%(?:~dp0|dp0%)\\?([^"%]+\.[cm]?js)"/i.exec(text)?.[1];
  if (relative === undefined) return undefined;
  const folder = shimPath.includes('\\') ? win32.dirname(shimPath) : dirname(shimPath);
  return win32.join(folder, relative);
}

/** Without it Deno prompts for each permission. */
function runtimeArgs(executable: string): readonly string[] {
  return basename(executable, '.exe') === 'deno' ? ['run', '--allow-all'] : [];
}

/** Undefined if there is none, or only inside an executable. */
function realFile(path: string): string | undefined {
  try {
    return isFile(path) ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
