import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, extname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentError } from '@qwen/protocol';
import { scriptOfCommandShim } from './command-shim.js';

/** How to start the CLI. */
export interface CliCommand {
  readonly command: string;
  /** Stands before the flags. */
  readonly leadingArgs: readonly string[];
  /** Variables that this way of starting needs. */
  readonly env: Readonly<Record<string, string>>;
}

export interface CliSearch {
  /** A file, or a bare name that is looked up on the PATH. */
  readonly pathToQwenExecutable?: string | undefined;
  /** What runs a script. Default: what runs this process. */
  readonly executable?: string | undefined;
  /** The environment whose PATH is searched. */
  readonly environment: Readonly<Record<string, string>>;
  /** The folder that the agent works in: a program that lies there is never taken. */
  readonly cwd: string;
  /** The module that the CLI is a dependency of. Default: this one, see {@link ownModule}. */
  readonly installedFor?: string | undefined;
}

const CLI_SCRIPT = join('bin', 'qwen.js');
const RUN_BY_NODE: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']);

/**
 * Finds the CLI: what the option names, else the one installed with the SDK, else `qwen` on the PATH. Throws
 * `cli_not_found` with everything that was tried in `data.tried`.
 */
export function findCli(search: CliSearch): CliCommand {
  const tried: string[] = [];
  const given = search.pathToQwenExecutable;
  const found =
    given === undefined
      ? (findInstalled(search.installedFor ?? ownModule(), tried) ?? findOnPath('qwen', search, tried))
      : findGiven(given, search, tried);
  const command = found === undefined ? undefined : toCommand(found, search.executable);
  if (command !== undefined) return command;
  throw new AgentError('cli_not_found', `The qwen CLI was not found. Tried: ${tried.join(', ')}.`, { data: { tried } });
}

function findGiven(given: string, search: CliSearch, tried: string[]): string | undefined {
  if (/^[\w.-]+$/.test(given) && !RUN_BY_NODE.has(extname(given))) return findOnPath(given, search, tried);
  const file = resolve(given);
  tried.push(file);
  return isFile(file) ? file : undefined;
}

/**
 * Where this code lies. A bundler takes its address away (esbuild, to CommonJS) or leaves one of the machine that built
 * the app (webpack): then it is where the script lies that Node.js runs. Electron has the user's words in that place.
 */
function ownModule(): string | undefined {
  const address: string | undefined = import.meta.url;
  const own = address === undefined ? undefined : fileURLToPath(address);
  if (own !== undefined && isFile(own)) return own;
  const script = process.argv[1];
  const isScript = script !== undefined && isAbsolute(script) && process.versions['electron'] === undefined;
  return isScript ? realpathSync(script) : own;
}

/** The CLI is a dependency of the SDK. A bundler may have moved the SDK's code, then its package is asked for. */
function findInstalled(installedFor: string | undefined, tried: string[]): string | undefined {
  if (installedFor === undefined) return undefined;
  const from = dirname(installedFor);
  const sdk = findPackage(from, '@qwen/sdk');
  for (const start of sdk === undefined ? [from] : [from, sdk]) {
    const cli = findPackage(start, '@qwen/cli');
    if (cli === undefined) {
      tried.push(`@qwen/cli, installed for ${start}`);
      continue;
    }
    // What an Electron archive holds cannot be started as a program; its unpacked copy can.
    const script = join(cli.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`), CLI_SCRIPT);
    if (isFile(script)) return script;
    tried.push(script);
  }
  return undefined;
}

/** The folder of an installed package, searched upwards; not by `require`, which also looks where NODE_PATH says. */
function findPackage(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (isFile(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (folder === dirname(folder)) return undefined;
  }
}

/** Absolute folders only, and none that a repository under work may fill (S90). */
function findOnPath(name: string, search: CliSearch, tried: string[]): string | undefined {
  const path = search.environment['PATH'] ?? search.environment['Path'] ?? '';
  const names = process.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  const distrusted = new Set([resolve(search.cwd), process.cwd()]);
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder) || distrusted.has(resolve(folder)) || isPackageBin(folder)) continue;
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

function toCommand(file: string, executable: string | undefined): CliCommand | undefined {
  if (extname(file).toLowerCase() === '.cmd') {
    const script = scriptOfCommandShim(readFileSync(file, 'utf8'), file);
    return script === undefined ? undefined : toCommand(script, executable);
  }
  if (!RUN_BY_NODE.has(extname(file))) return { command: file, leadingArgs: [], env: {} };
  if (executable !== undefined) return { command: executable, leadingArgs: [...leadOf(executable), file], env: {} };
  const env: Record<string, string> = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return { command: process.execPath, leadingArgs: [...HEAP_FLAGS, file], env };
}

/**
 * The CLI makes more in its first turn than Node's first heap of new objects holds; a larger one, in MiB, saves it a
 * twentieth of its processor time and costs no memory that it would not use (docs/decisions/0006). Only V8 knows the flag.
 */
const HEAP_FLAGS: readonly string[] =
  process.versions['bun'] === undefined && process.versions['deno'] === undefined ? ['--min-semi-space-size=16'] : [];

/** Deno runs nothing without being told so, and asks for each permission: the CLI has rules of its own. */
function leadOf(executable: string): readonly string[] {
  return basename(executable, '.exe') === 'deno' ? ['run', '--allow-all'] : [];
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
