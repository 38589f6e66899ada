import { basename, delimiter, dirname, extname, isAbsolute, join, resolve, sep, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentError } from '@qwen/protocol';

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
  /** Default: {@link ownModule}. */
  readonly installedFor?: string | undefined;
}

// Importing `node:fs` would add 4 ms to the start of a query.
const { accessSync, constants, readFileSync, realpathSync, statSync } = process.getBuiltinModule('node:fs');

const CLI_SCRIPT = join('bin', 'qwen.js');
const RUN_BY_NODE: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts']);

/** The given CLI, else the one installed with the SDK, else `qwen` on the PATH. */
export function findCli(search: CliSearch): CliCommand {
  const tried: string[] = [];
  const given = search.pathToQwenExecutable;
  const found =
    given === undefined
      ? (findInstalled(search.installedFor ?? ownModule(), tried) ?? findOnPath('qwen', search, tried))
      : findGiven(given, search, tried);
  const command = found === undefined ? undefined : toCommand(found, search.executable);
  if (command !== undefined) return command;
  const searched = `Searched: ${tried.join(', ')}.`;
  const message =
    given === undefined
      ? `Could not find the qwen CLI. ${searched} Install @qwen/cli or set the option pathToQwenExecutable.`
      : `Invalid pathToQwenExecutable: could not find the qwen CLI. ${searched} Set it to a file, or to a name on the PATH.`;
  throw new AgentError('cli_not_found', message, { data: { tried } });
}

function findGiven(given: string, search: CliSearch, tried: string[]): string | undefined {
  if (/^[\w.-]+$/.test(given) && !RUN_BY_NODE.has(extname(given))) return findOnPath(given, search, tried);
  const file = resolve(given);
  tried.push(file);
  return isFile(file) ? file : undefined;
}

/**
 * Bundlers remove the URL of this file, or keep that of the build machine. Then the script that runs counts, except
 * in Electron, where `argv[1]` belongs to the user.
 */
function ownModule(): string | undefined {
  const address: string | undefined = import.meta.url;
  const own = address === undefined ? undefined : fileURLToPath(address);
  if (own !== undefined && isFile(own)) return own;
  const script = process.argv[1];
  const isScript = script !== undefined && isAbsolute(script) && process.versions['electron'] === undefined;
  return isScript ? realpathSync(script) : own;
}

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
    // A program inside an Electron archive cannot be started; its unpacked copy can.
    const script = join(cli.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`), CLI_SCRIPT);
    if (isFile(script)) return script;
    tried.push(script);
  }
  return undefined;
}

/** Not `require`, which also searches NODE_PATH. */
function findPackage(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (isFile(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (folder === dirname(folder)) return undefined;
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

function toCommand(file: string, executable: string | undefined): CliCommand | undefined {
  if (extname(file).toLowerCase() === '.cmd') {
    const script = scriptOfCommandShim(readFileSync(file, 'utf8'), file);
    return script === undefined ? undefined : toCommand(script, executable);
  }
  if (!RUN_BY_NODE.has(extname(file))) return { command: file, leadingArgs: [], env: {} };
  if (executable !== undefined)
    return { command: executable, leadingArgs: [...runtimeArgs(executable), file], env: {} };
  const env: Record<string, string> = process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' };
  return { command: process.execPath, leadingArgs: [...HEAP_FLAGS, file], env };
}

/** A larger young generation saves 5% CPU time in the first turn (docs/decisions/0006). In MiB. */
const HEAP_FLAGS: readonly string[] =
  process.versions['bun'] === undefined && process.versions['deno'] === undefined ? ['--min-semi-space-size=16'] : [];

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
