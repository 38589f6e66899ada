import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { GitHazards } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import { findProgram, trustedFolders } from '../paths/find-program.js';
import { commandEnvironment, type Environment } from './command-environment.js';
import { foreignData, foreignRevisions } from './git-data.js';

type Setting = readonly [key: string, value: string];

const TIMEOUT_MS = 15_000;
const MAX_CONFIG_BYTES = 4 * 1024 * 1024;

/** Without programs of the repository. Git asks for no signatures, network or other repositories. */
const QUIET: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['diff.autoRefreshIndex', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.editor', 'false'],
  ['core.sshCommand', 'false'],
  ['core.askPass', 'false'],
  ['core.alternateRefsCommand', 'false'],
  ['sequence.editor', 'false'],
  ['credential.helper', ''],
  ['gpg.program', 'false'],
  ['gpg.openpgp.program', 'false'],
  ['gpg.x509.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['log.showSignature', 'false'],
  ['help.autoCorrect', '0'],
  ['protocol.allow', 'never'],
  ['submodule.recurse', 'false'],
  ['status.submoduleSummary', 'false'],
  ['diff.submodule', 'short'],
  // Git would start another git in the submodule, which has its own configuration.
  ['diff.ignoreSubmodules', 'dirty'],
];
const EXPLICIT: Setting = ['safe.bareRepository', 'explicit'];

/** What git does without an external program; an empty setting is an error for git. */
const PLAIN_DIFF = 'f() { echo "diff --git a/$1 b/$1"; diff -u --label "a/$1" --label "b/$1" "$2" "$5"; true; }; f';

export interface Guarded {
  readonly environment: Environment;
  /** Programs in it are not run. */
  readonly workspace: string;
}

/** For commands that only read. Settings of the environment apply over those of a repository. */
export async function readingEnvironment(
  { environment, workspace }: Guarded,
  gitFolders: readonly string[],
): Promise<Record<string, string>> {
  const surveys = await Promise.all(gitFolders.map((folder) => surveyGit({ environment, workspace }, folder)));
  // Without its settings, git could run a program of the repository.
  const isCut = surveys.some(({ hazards }) => hazards.everywhere === NO_ANSWER);
  if (isCut) throw new AgentError('tool_failed', `${NO_ANSWER} Try again, or do not use git.`);
  return quiet({ environment, workspace }, [...QUIET, EXPLICIT, ...surveys.flatMap(({ settings }) => settings)]);
}

/** What the environment cannot prevent in a folder. */
export async function gitHazards(folder: string, workspace: string): Promise<GitHazards> {
  const environment = commandEnvironment({ base: process.env, keep: new Set() });
  return (await surveyGit({ environment, workspace }, folder)).hazards;
}

/** For commands that show files. Undefined if git fails, or if it would run a program of the repository. */
export async function readWithGit(
  folder: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<string | undefined> {
  const environment = commandEnvironment({ base: process.env, keep: new Set() });
  const guarded = { environment, workspace: folder, timeoutMs };
  const { hazards, settings } = await surveyGit(guarded, folder);
  if (hazards.reading !== undefined || hazards.everywhere !== undefined) return undefined;
  return runGit({ ...guarded, settings: [EXPLICIT, ...settings] }, folder, args);
}

/** Runs no program of the repository. Undefined if git fails; empty if there is no git. */
export function askGit(folder: string, args: readonly string[]): Promise<string | undefined> {
  const environment = commandEnvironment({ base: process.env, keep: new Set() });
  return runGit({ environment, workspace: folder }, folder, args);
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

interface GitSurvey {
  readonly hazards: GitHazards;
  readonly settings: readonly Setting[];
}

async function surveyGit(guarded: GitRun, folder: string): Promise<GitSurvey> {
  let isCut = false;
  const onCut = (): void => {
    isCut = true;
  };
  const survey = await surveyWith((...args) => runGit({ ...guarded, onCut }, folder, args), folder);
  // What is missing would look like a folder without a repository.
  return isCut ? { settings: [], hazards: { everywhere: NO_ANSWER } } : survey;
}

async function surveyWith(run: GitRunner, folder: string): Promise<GitSurvey> {
  const [configuration, gitFolder, top] = await Promise.all([
    run('config', '--list', '--includes', '--show-scope', '-z'),
    run('rev-parse', '--absolute-git-dir'),
    run('rev-parse', '--show-toplevel'),
  ]);
  if (configuration === undefined)
    return { settings: [], hazards: { everywhere: 'The configuration of git cannot be read.' } };
  if (gitFolder === undefined || gitFolder === '') return { settings: [], hazards: {} };
  const own = repositorySettings(configuration);
  const keys = own.map(([key]) => key);
  const modules = await moduleKeys(run, top);
  const foreign = await foreignData({ folder, gitFolder, top, hasWorktree: keys.includes('core.worktree') });
  return {
    settings: [...keys, ...modules].flatMap(harmlessSetting),
    hazards: {
      ...(foreign !== undefined && { everywhere: foreign }),
      ...(await readingHazard(own, top)),
    },
  };
}

async function readingHazard(own: readonly Setting[], top = '/'): Promise<Pick<GitHazards, 'reading'>> {
  const program = own.find(([key]) => /^(?:filter\..+\.(?:clean|process)|hook\..+\.command)$/s.test(key));
  if (program !== undefined) return { reading: `The repository's configuration runs a program: ${program[0]}.` };
  for (const [key, value] of own) {
    const foreign = key === 'blame.ignorerevsfile' ? await foreignRevisions(value, top) : undefined;
    if (foreign !== undefined) return { reading: foreign };
  }
  return {};
}

function repositorySettings(listed: string): Setting[] {
  const fields = listed.split('\0');
  return fields.flatMap((scope, index): Setting[] => {
    if (index % 2 === 1 || (scope !== 'local' && scope !== 'worktree')) return [];
    const [key = '', ...value] = (fields[index + 1] ?? '').split('\n');
    return [[key, value.join('\n')]];
  });
}

async function moduleKeys(run: GitRunner, top: string | undefined): Promise<string[]> {
  if (top === undefined) return [];
  const listed = await Promise.all([
    run('config', '--list', '-z', '--file', join(top, '.gitmodules')),
    run('config', '--list', '-z', '--blob', ':.gitmodules'),
    run('config', '--list', '-z', '--blob', 'HEAD:.gitmodules'),
  ]);
  return listed.flatMap((text = '') => text.split('\0').flatMap((entry) => entry.split('\n', 1)));
}

function harmlessSetting(key: string): Setting[] {
  if (/^diff\..+\.textconv$/s.test(key)) return [[key, 'cat']];
  if (/^diff\.(?:external|.+\.command)$/s.test(key)) return [[key, PLAIN_DIFF]];
  if (key === 'mailmap.file' || key === 'core.attributesfile') return [[key, '/dev/null']];
  return /^submodule\..+\.ignore$/s.test(key) ? [[key, 'dirty']] : [];
}

type GitRunner = (...args: readonly string[]) => Promise<string | undefined>;

interface GitRun extends Guarded {
  /** Further settings. Default: none. */
  readonly settings?: readonly Setting[];
  /** Default {@link TIMEOUT_MS}. */
  readonly timeoutMs?: number;
  /** Called if git was ended by the limit of time or output, or by a signal. */
  readonly onCut?: () => void;
}

function runGit(run: GitRun, folder: string, args: readonly string[]): Promise<string | undefined> {
  const { settings = [], timeoutMs = TIMEOUT_MS } = run;
  const options = {
    cwd: folder,
    env: quiet(run, [...QUIET, ...settings]),
    timeout: timeoutMs,
    maxBuffer: MAX_CONFIG_BYTES,
    encoding: 'utf8',
  } as const;
  const git = findProgram('git', { project: run.workspace });
  if (git === undefined) return Promise.resolve('');
  return new Promise((settle) => {
    execFile(git, [...args], options, (error, stdout) => {
      if (error === null) return settle(stdout.replace(/\n$/, ''));
      // A program that exited has the number of its code.
      if (typeof error.code !== 'number' && error.code !== 'ENOENT') run.onCut?.();
      settle(error.code === 'ENOENT' ? '' : undefined);
    });
  });
}
