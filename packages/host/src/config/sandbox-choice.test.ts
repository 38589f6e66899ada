import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { explainFromConfiguration } from '../explain-call.js';
import type { Flags } from '../flags/args.js';
import { loadConfiguration } from './load-config.js';
import { loadSettings } from './load-settings.js';
import { chooseSandbox, type SandboxSources } from './sandbox-choice.js';

interface Given extends Partial<Pick<SandboxSources, 'flags' | 'environment' | 'isOnByDefault'>> {
  readonly user?: object;
  readonly project?: object;
}

async function choiceOf({ user, project, flags = {}, environment = {}, isOnByDefault }: Given) {
  await using folder = await temporaryFolder();
  await folder.write('repo/.git/HEAD', '');
  if (user !== undefined) await folder.write('home/settings.json', JSON.stringify({ sandbox: user }));
  if (project !== undefined) await folder.write('repo/.qwen/settings.json', JSON.stringify({ sandbox: project }));
  const configDir = folder.resolve('home');
  const { sandbox: preferences } = await loadSettings({ configDir, cwd: folder.resolve('repo'), flags: {} });
  return chooseSandbox({ flags, environment, preferences, isOnByDefault, cwd: '/w', homeDirectory: '/h', configDir });
}

test('the flag overrides the variable, and both override the settings', async () => {
  expect(await choiceOf({})).toBeUndefined();
  expect(await choiceOf({ user: { enabled: true } })).toMatchObject({ mode: 'workspace-write', isRequired: false });
  expect(await choiceOf({ user: { enabled: true }, environment: { QWEN_SANDBOX: 'off' } })).toBeUndefined();
  const environment = { QWEN_SANDBOX: 'read-only' };
  expect(await choiceOf({ environment })).toMatchObject({ mode: 'read-only', isRequired: true, autoAllows: true });
  const flags = { sandbox: 'workspace-write' } as const;
  expect(await choiceOf({ environment, flags })).toMatchObject({ mode: 'workspace-write' });
  await expect(choiceOf({ environment: { QWEN_SANDBOX: 'docker' } })).rejects.toThrow('QWEN_SANDBOX must be');
});

test('with a limit, the flag cannot loosen what the variable and the settings select', async () => {
  const choose = (sandbox: Flags['sandbox'], QWEN_SANDBOX?: string) =>
    choiceOf({
      user: { enabled: true, mode: 'read-only' },
      flags: { ...(sandbox !== undefined && { sandbox }) },
      environment: { QWEN_SANDBOX_LIMIT: 'tighten', ...(QWEN_SANDBOX !== undefined && { QWEN_SANDBOX }) },
    });
  expect(await choose(undefined)).toMatchObject({ mode: 'read-only' });
  expect(await choose('workspace-write', 'off')).toMatchObject({ mode: 'workspace-write' });
  expect(await choose('read-only', 'workspace-write')).toMatchObject({ mode: 'read-only' });
  for (const [sandbox, variable] of [['off'], ['workspace-write'], ['off', 'workspace-write']] as const) {
    expect(await choose(sandbox, variable)).toMatchObject({
      mode: variable ?? 'read-only',
      refusal: expect.stringContaining('is looser'),
    });
  }
});

test('a project can only make the sandbox stricter, even without trust', async () => {
  const loose = {
    enabled: false,
    mode: 'workspace-write',
    failIfUnavailable: false,
    autoAllowBashIfSandboxed: true,
    allowUnsandboxedCommands: true,
    excludedCommands: ['sh *'],
    filesystem: { allowWrite: ['/etc'], allowRead: ['~/.ssh'], denyRead: ['/p'], denyWrite: ['q'] },
    network: { allowUnixSockets: ['/run/docker.sock'] },
    limits: { processes: 9999, memoryMiB: 100 },
  };
  const user = {
    enabled: true,
    mode: 'read-only',
    failIfUnavailable: true,
    autoAllowBashIfSandboxed: false,
    allowUnsandboxedCommands: false,
    filesystem: { allowWrite: ['~/cache'], denyRead: ['//a'] },
    limits: { processes: 50 },
  };
  expect(await choiceOf({ user, project: loose })).toMatchObject({
    mode: 'read-only',
    isRequired: true,
    autoAllows: false,
    mayLeave: false,
    excludedCommands: [],
    policy: {
      allowWrite: ['/h/cache'],
      allowRead: [],
      denyRead: ['/a', '/p'],
      denyWrite: ['/w/q'],
      allowUnixSockets: [],
      limits: { processes: 50, memoryMiB: 100 },
    },
  });
  const strict = { ...loose, mode: 'read-only', autoAllowBashIfSandboxed: false, allowUnsandboxedCommands: false };
  expect(await choiceOf({ user: { enabled: true }, project: strict })).toMatchObject({
    mode: 'read-only',
    autoAllows: false,
    mayLeave: false,
  });
});

test('tools that run in this process obey the same lists', async () => {
  const filesystem = { denyRead: ['/a/private [1]'], denyWrite: ['fixed'] };
  const sandbox = { enabled: true, filesystem };
  await using folder = await temporaryFolder();
  await folder.write('home/settings.json', JSON.stringify({ sandbox }));
  const configDir = folder.resolve('home');
  const settings = await loadSettings({ configDir, cwd: folder.path, flags: {} });
  const configuration = loadConfiguration({
    flags: {},
    environment: { QWEN_HOME: configDir },
    cwd: '/w',
    settings,
    agentFiles: { agents: [], notices: [] },
  });
  const verdict = async (name: string, input: object) =>
    (await explainFromConfiguration({ name, input }, 'yolo', configuration)).behavior;
  expect(await verdict('read_file', { file_path: '/a/private [1]/x' })).toBe('deny');
  expect(await verdict('read_file', { file_path: '/a/private 1/x' })).toBe('allow');
  expect(await verdict('write_file', { file_path: '/w/fixed/x', content: '' })).toBe('deny');
  expect(await verdict('read_file', { file_path: '/w/fixed/x' })).toBe('allow');
  expect(await verdict('write_file', { file_path: '/a/private [1]/x', content: '' })).toBe('deny');
});

test('requests of this process and commands reach the same hosts', async () => {
  const network = { allowedDomains: ['docs.example', '*.files.example'], deniedDomains: ['secret.example'] };
  const settings = { sandbox: { enabled: true, network }, permissions: { deny: ['WebFetch(domain:ads.example)'] } };
  await using folder = await temporaryFolder();
  await folder.write('home/settings.json', JSON.stringify(settings));
  const configDir = folder.resolve('home');
  const load = async (flags: Flags) =>
    loadConfiguration({
      flags,
      environment: { QWEN_HOME: configDir },
      cwd: '/w',
      settings: await loadSettings({ configDir, cwd: folder.path, flags: {} }),
      agentFiles: { agents: [], notices: [] },
    });
  const verdicts = async (flags: Flags) => {
    const configuration = await load(flags);
    const hosts = ['docs.example', 'a.files.example', 'other.example', 'secret.example', 'ads.example'];
    const explained = hosts.map((host) =>
      explainFromConfiguration({ name: 'WebFetch', input: { url: `https://${host}/` } }, 'default', configuration),
    );
    return (await Promise.all(explained)).map(({ behavior }) => behavior);
  };
  expect(await verdicts({})).toEqual(['allow', 'allow', 'ask', 'deny', 'deny']);
  expect(await verdicts({ sandbox: 'off' })).toEqual(['ask', 'ask', 'ask', 'deny', 'deny']);
  expect((await load({})).sandbox?.hosts.denied).toEqual(['secret.example', 'ads.example']);
});

test('a project that enables the sandbox approves no commands', async () => {
  expect(await choiceOf({ project: { enabled: true, autoAllowBashIfSandboxed: true } })).toMatchObject({
    autoAllows: false,
  });
  const user = { enabled: true };
  expect(await choiceOf({ user, project: { enabled: true } })).toMatchObject({ autoAllows: true });
});

test('the default of the terminal applies unless the user decides otherwise', async () => {
  const isOnByDefault = true;
  const chosen = { mode: 'workspace-write', isRequired: false, isDefault: true, autoAllows: true };
  expect(await choiceOf({ isOnByDefault })).toMatchObject(chosen);
  expect(await choiceOf({ isOnByDefault, project: { enabled: false } })).toMatchObject(chosen);
  expect(await choiceOf({ isOnByDefault, project: { mode: 'read-only' } })).toMatchObject({ mode: 'read-only' });
  expect(await choiceOf({ isOnByDefault, user: { failIfUnavailable: true } })).toMatchObject({ isRequired: true });
  expect(await choiceOf({ isOnByDefault, user: { enabled: true } })).toMatchObject({ isDefault: false });
  expect(await choiceOf({ isOnByDefault, user: { enabled: false } })).toBeUndefined();
  expect(await choiceOf({ isOnByDefault, flags: { sandbox: 'off' } })).toBeUndefined();
  expect(await choiceOf({ isOnByDefault, environment: { QWEN_SANDBOX: 'off' } })).toBeUndefined();
});
