import { execFile } from 'node:child_process';
import { lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { GitHazards } from '@qwen/agent';
import { systemCodeOf } from '@qwen/protocol';
import { findProgram, trustedFolders } from '../paths/find-program.js';
import { commandEnvironment, type Environment } from './command-environment.js';
import { foreignData, foreignRevisions, linkedFolder } from './git-data.js';
import { listedSettings, QUIET, repositorySettings, riskyModule, riskySetting, type Setting } from './git-settings.js';

const TIMEOUT_MS = 15_000;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

const EXPLICIT: Setting = ['safe.bareRepository', 'explicit'];

export interface Guarded {
  readonly environment: Environment;
  /** Programs in it are not run. */
  readonly workspace: string;
}

/** For commands that only read. Settings of the environment apply over those of a repository. */
export function readingEnvironment(guarded: Guarded): Record<string, string> {
  return quiet(guarded, [...QUIET, EXPLICIT]);
}

/** What the environment cannot prevent in a folder. */
export async function gitHazards(
  folder: string,
  workspace: string,
  use: 'reading' | 'searching' = 'reading',
): Promise<GitHazards> {
  const environment = commandEnvironment({ base: process.env, keep: new Set() });
  return surveyGit({ environment, workspace }, folder, use);
}

/** For commands that show files. Undefined if git fails, or if the repository may make it run or show something else. */
export async function readWithGit(
  folder: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<string | undefined> {
  const environment = commandEnvironment({ base: process.env, keep: new Set() });
  const guarded = { environment, workspace: folder, timeoutMs };
  const { reading, everywhere } = await surveyGit(guarded, folder);
  if (reading !== undefined || everywhere !== undefined) return undefined;
  const bytes = await runGit({ ...guarded, settings: [EXPLICIT] }, folder, args);
  return bytes === undefined ? undefined : asText(bytes);
}

/** Runs no program of the repository. Undefined if git fails; empty if there is no git. */
export async function askGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  const environment = commandEnvironment({ base: process.env, keep: new Set() });
  const bytes = await runGit({ environment, workspace: folder }, folder, args);
  return bytes === undefined ? undefined : asText(bytes);
}

/** Name programs, or code that interpreters load, often by a path in the project. */
const NOT_FOR_READING =
  /^(?:GIT_(?:TRACE|EXTERNAL_DIFF$|SSH|PROXY_COMMAND$)|NODE_OPTIONS$|NODE_PATH$|PYTHON(?:PATH|HOME|STARTUP)$|RUBY(?:OPT|LIB)$|PERL5(?:OPT|LIB)$|LESSOPEN$|JAVA_TOOL_OPTIONS$|JDK_JAVA_OPTIONS$|npm_config_)/i;

/** The settings of a project decide neither where npm writes nor whom it asks for updates. */
const QUIET_PACKAGES: Readonly<Record<string, string>> = {
  npm_config_logs_max: '0',
  npm_config_timing: 'false',
  npm_config_update_notifier: 'false',
  npm_config_offline: 'true',
  npm_config_cache: join(homedir(), '.npm'),
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
};

function quiet({ environment, workspace }: Guarded, settings: readonly Setting[]): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !NOT_FOR_READING.test(name)) result[name] = value;
  }
  const { PATH: searchPath } = result;
  if (searchPath !== undefined) {
    result['PATH'] = trustedFolders({ searchPath, project: workspace }).join(delimiter);
  }
  const first = Number(result['GIT_CONFIG_COUNT'] ?? 0) || 0;
  for (const [index, [key, value]] of settings.entries()) {
    result[`GIT_CONFIG_KEY_${first + index}`] = key;
    result[`GIT_CONFIG_VALUE_${first + index}`] = value;
  }
  return {
    ...result,
    ...QUIET_PACKAGES,
    GIT_CONFIG_COUNT: String(first + settings.length),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
  };
}

const NO_ANSWER = 'Git did not describe the repository in time.';
const UNREADABLE = 'The configuration of git cannot be read.';

async function surveyGit(guarded: GitRun, folder: string, use = 'reading'): Promise<GitHazards> {
  let isCut = false;
  const onCut = (): void => {
    isCut = true;
  };
  const run: GitRunner = (args, input) => runGit({ ...guarded, onCut, input }, folder, args);
  const hazards = await surveyWith(run, folder, use);
  // What is missing would look like a folder without a repository.
  return isCut ? { everywhere: NO_ANSWER } : hazards;
}

async function surveyWith(run: GitRunner, folder: string, use: string): Promise<GitHazards> {
  const [configuration, place, modules] = await Promise.all([
    run(['config', '--list', '--includes', '--show-scope', '-z']),
    run(['rev-parse', '--absolute-git-dir', '--show-toplevel']),
    run(['cat-file', '--batch-check'], ':.gitmodules\nHEAD:.gitmodules\n'),
  ]);
  if (configuration === undefined) return { everywhere: UNREADABLE };
  const own = repositorySettings(configuration);
  if (place === undefined) {
    // In the data of a repository there is no top folder.
    const isOutside = own.length === 0 && (await run(['rev-parse', '--absolute-git-dir'])) === undefined;
    return isOutside ? {} : { everywhere: `${folder} is not a working tree.` };
  }
  if (place === '') return {};
  const [gitFolder = '', top = '', ...rest] = asText(place).split('\n');
  if (rest.length > 0) return { everywhere: 'The name of the folder contains a line break.' };
  const hasWorktree = own.some(([key]) => key === 'core.worktree');
  const foreign = await foreignData({ folder, gitFolder, top, hasWorktree });
  if (foreign !== undefined) return { everywhere: foreign };
  const known = (await ownHazard(own, top)) ?? (await moduleHazard(run, top, modules));
  const reading = known ?? (use === 'searching' ? await searchHazard(run, top) : undefined);
  return reading === undefined ? {} : { reading };
}

async function ownHazard(own: readonly Setting[], top: string): Promise<string | undefined> {
  const risky = riskySetting(own);
  if (risky !== undefined) {
    return `The repository has the setting ${asText(risky)}, which may run a program or show other files.`;
  }
  const named = own.flatMap(([key, value]) => (key === 'blame.ignorerevsfile' ? [asText(value)] : []));
  const foreign = await Promise.all(named.map((value) => foreignRevisions(value, top)));
  return foreign.find((reason) => reason !== undefined);
}

/** Git uses the file of the working tree, or else that of the index or of the last commit. */
async function moduleHazard(run: GitRunner, top: string, blobs: string | undefined): Promise<string | undefined> {
  const unreadable = '.gitmodules of the repository cannot be read.';
  const path = join(top, '.gitmodules');
  const file = await lstat(path).catch((error: unknown) => (systemCodeOf(error) === 'ENOENT' ? undefined : 'unknown'));
  if (file === 'unknown' || (typeof file === 'object' && !file.isFile())) return unreadable;
  const lines = (blobs ?? '').split('\n').filter((line) => !line.endsWith(' missing'));
  const found = lines.map((line) => /^([\da-f]{40,64}) blob \d+$/.exec(line)?.[1]);
  if (blobs === undefined || found.includes(undefined)) return unreadable;
  const sources = [
    ...(file === undefined ? [] : [['--file', path]]),
    ...[...new Set(found)].map((blob = '') => ['--blob', blob]),
  ];
  const listed = await Promise.all(sources.map((source) => run(['config', '--list', '-z', ...source])));
  for (const text of listed) {
    if (text === undefined) return unreadable;
    const risky = riskyModule(listedSettings(text));
    if (risky !== undefined) return `.gitmodules of the repository has the setting ${asText(risky)}.`;
  }
  return undefined;
}

/** `git grep` opens what is in the index, also through a link that replaced a folder. */
async function searchHazard(run: GitRunner, top: string): Promise<string | undefined> {
  const listed = await run(['ls-files', '-z', '--full-name', ':/']);
  if (listed === undefined) return 'Git cannot list its files.';
  const link = await linkedFolder(asText(listed).split('\0'), top);
  return link && `git grep follows ${link}, which may be a link.`;
}

function asText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

type GitRunner = (args: readonly string[], input?: string) => Promise<string | undefined>;

interface GitRun extends Guarded {
  /** Further settings. Default: none. */
  readonly settings?: readonly Setting[];
  /** Default {@link TIMEOUT_MS}. */
  readonly timeoutMs?: number;
  readonly input?: string | undefined;
  /** Called if git was ended by the limit of time or output, or by a signal. */
  readonly onCut?: () => void;
}

/** The output has one character per byte. */
function runGit(run: GitRun, folder: string, args: readonly string[]): Promise<string | undefined> {
  const { settings = [], timeoutMs = TIMEOUT_MS } = run;
  const options = {
    cwd: folder,
    env: quiet(run, [...QUIET, ...settings]),
    timeout: timeoutMs,
    maxBuffer: MAX_OUTPUT_BYTES,
    encoding: 'latin1',
  } as const;
  const git = findProgram('git', { project: run.workspace });
  if (git === undefined) return Promise.resolve('');
  return new Promise((settle) => {
    const child = execFile(git, [...args], options, (error, stdout) => {
      if (error === null) return settle(stdout.replace(/\n$/, ''));
      // A program that exited has the number of its code.
      if (typeof error.code !== 'number' && error.code !== 'ENOENT') run.onCut?.();
      settle(error.code === 'ENOENT' ? '' : undefined);
    });
    // Git may end before it reads.
    child.stdin?.on('error', () => {}).end(run.input);
  });
}
