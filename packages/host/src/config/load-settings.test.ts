import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { loadSettings } from './load-settings.js';
import { type EffectiveSettings, NO_SETTINGS } from './settings.js';
import type { SettingsFlags } from './settings-files.js';
import { revokeTrust, trustProject } from './trust-changes.js';

const HOOK = { hooks: [{ type: 'command', command: 'touch canary' }] };
const EVERYTHING = {
  model: 'cheap',
  permissions: {
    allow: ['Bash'],
    ask: ['Edit'],
    deny: ['Read(.env)'],
    defaultMode: 'yolo',
    additionalDirectories: ['../other'],
  },
  hooks: { PreToolUse: [HOOK] },
  mcpServers: { evil: { command: 'sh', args: ['-c', 'touch canary'] } },
};

interface Place extends AsyncDisposable {
  readonly folder: TemporaryFolder;
  readonly home: string;
  readonly repo: string;
  write(name: string, settings: object): Promise<string>;
  load(flags?: SettingsFlags, cwd?: string): Promise<EffectiveSettings>;
}

/** A home and a repository with a folder inside. */
async function place(): Promise<Place> {
  const folder = await temporaryFolder();
  const [home, repo] = [folder.resolve('home'), folder.resolve('repo')];
  await mkdir(folder.resolve('repo/.git'), { recursive: true });
  await mkdir(folder.resolve('repo/packages/one'), { recursive: true });
  return {
    folder,
    home,
    repo,
    write: (name, settings) => folder.write(name, JSON.stringify(settings)),
    load: (flags = {}, cwd = repo) => loadSettings({ configDir: home, cwd, flags }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

test('without files there are no settings', async () => {
  await using at = await place();
  expect(await at.load()).toBe(NO_SETTINGS);
});

describe('layers', () => {
  test('only the user can pass on variables that look like credentials, never a project', async () => {
    await using at = await place();
    const allowing = (name: string) => ({ security: { allowedEnvironmentVariables: [name] } });
    await at.write('home/settings.json', allowing('GH_PAT'));
    await at.folder.write('repo/.git/HEAD', '');
    await at.write('repo/.qwen/settings.json', allowing('PGPASSWORD'));
    const { allowedVariables } = await at.load({ trustProject: true }, at.folder.resolve('repo'));
    expect(allowedVariables).toEqual(['GH_PAT']);
  });

  test("the user's settings apply in every folder", async () => {
    await using at = await place();
    const path = await at.write('home/settings.json', EVERYTHING);
    expect(await at.load({}, at.folder.resolve('repo/packages/one'))).toEqual({
      rules: { allow: ['Bash'], ask: ['Edit'], deny: ['Read(.env)'] },
      extra: { limits: {} },
      allowedVariables: [],
      fallbackModels: [],
      modelOptions: {},
      profiles: [],
      defaultMode: 'yolo',
      model: 'cheap',
      hooks: [{ event: 'PreToolUse', group: HOOK, origin: 'user', path }],
      runsHooks: true,
      pluginPlaces: [],
      plugins: [],
      mcpServers: [{ name: 'evil', config: EVERYTHING.mcpServers.evil, origin: 'user', path }],
      additionalDirectories: [at.folder.resolve('other')],
      tools: {},
      ui: {},
      sandbox: { settings: {}, isOfProject: false },
      telemetry: {},
      fileHistory: {},
      memory: {},
      webSearch: {},
      notices: [],
    });
  });

  test('only the user can enable features that send data, not a repository, trusted or not', async () => {
    await using at = await place();
    await at.write('repo/.qwen/settings.json', { telemetry: { enabled: true }, fileHistory: { enabled: false } });
    expect(await at.load({ trustProject: true })).toMatchObject({ telemetry: {}, fileHistory: {} });
    await at.write('home/settings.json', { telemetry: { enabled: true } });
    expect((await at.load()).telemetry).toEqual({ enabled: true });
    expect((await at.load({ settings: '{"telemetry":{"enabled":false}}' })).telemetry).toEqual({ enabled: false });
  });

  test('rules add up; other values come from the highest layer: flag, local, project, user', async () => {
    await using at = await place();
    await at.write('home/settings.json', { model: 'user', permissions: { deny: ['A'], defaultMode: 'yolo' } });
    await at.write('repo/.qwen/settings.json', { model: 'project', permissions: { deny: ['B'], defaultMode: 'plan' } });
    await at.write('repo/.qwen/settings.local.json', { model: 'local', permissions: { deny: ['C'] } });
    const flags = { trustProject: true };
    expect(await at.load(flags)).toMatchObject({
      model: 'local',
      defaultMode: 'plan',
      rules: { deny: ['A', 'B', 'C'] },
    });
    expect(await at.load({ ...flags, settingSources: ['user', 'project'] })).toMatchObject({ model: 'project' });
    const settings = JSON.stringify({ model: 'flag', permissions: { deny: ['D'] } });
    expect(await at.load({ ...flags, settings })).toMatchObject({
      model: 'flag',
      rules: { deny: ['A', 'B', 'C', 'D'] },
    });
    expect(await at.load({ settingSources: [] })).toBe(NO_SETTINGS);
  });

  test('the server of the highest layer applies for its name', async () => {
    await using at = await place();
    await at.write('home/settings.json', { mcpServers: { a: { command: 'user' }, b: { command: 'user' } } });
    await at.write('repo/.qwen/settings.json', { mcpServers: { b: { command: 'project' } } });
    const { mcpServers } = await at.load({ trustProject: true });
    expect(mcpServers.map(({ name, config, origin }) => [name, config.command, origin])).toEqual([
      ['a', 'user', 'user'],
      ['b', 'project', 'project'],
    ]);
  });

  test("hooks of all layers run; a project cannot disable the user's", async () => {
    await using at = await place();
    await at.write('home/settings.json', { hooks: { Stop: [HOOK] } });
    await at.write('repo/.qwen/settings.json', { hooks: { Stop: [HOOK] }, disableAllHooks: true });
    const { hooks } = await at.load({ trustProject: true });
    expect(hooks.map(({ origin }) => origin)).toEqual(['user']);
    expect((await at.load({ trustProject: true, settings: '{"disableAllHooks": true}' })).hooks).toEqual([]);
  });

  test('--settings also accepts a file; a missing one is an invalid flag', async () => {
    await using at = await place();
    await at.write('repo/more.json', { model: 'file' });
    expect(await at.load({ settings: 'more.json' })).toMatchObject({ model: 'file' });
    await expect(at.load({ settings: 'none.json' })).rejects.toMatchObject({ code: 'usage' });
    await expect(at.load({ settingSources: ['everything'] })).rejects.toMatchObject({ code: 'usage' });
  });

  test('members of other programs are kept, and those of Claude Code are understood', async () => {
    await using at = await place();
    await at.write('home/settings.json', { theme: 'dark', permissions: { defaultMode: 'acceptEdits' } });
    expect(await at.load()).toMatchObject({ defaultMode: 'auto-edit' });
  });

  test('every folder up to the repository root is read, and nearer ones take precedence', async () => {
    verifies('S49');
    await using at = await place();
    await at.write('repo/.qwen/settings.json', {
      model: 'root',
      permissions: { deny: ['Root'], additionalDirectories: ['lib'] },
    });
    await at.write('repo/packages/one/.qwen/settings.json', { model: 'one', permissions: { deny: ['One'] } });
    const inside = at.folder.resolve('repo/packages/one');
    expect(await at.load({}, inside)).toMatchObject({ rules: { deny: ['Root', 'One'] } });
    expect(await at.load({ trustProject: true }, inside)).toMatchObject({
      model: 'one',
      additionalDirectories: [at.folder.resolve('repo/lib')],
    });
    const { notices } = await at.load({}, inside);
    expect(notices[0]?.message).toContain(`${inside} is not a trusted folder`);
  });

  test('outside of a repository only the working directory is the project', async () => {
    await using at = await place();
    await at.write('.qwen/settings.json', { permissions: { deny: ['above'] } });
    await at.write('plain/.qwen/settings.json', { permissions: { deny: ['here'] } });
    await at.write('plain/deep/file', {});
    expect((await at.load({}, at.folder.resolve('plain'))).rules.deny).toEqual(['here']);
    expect((await at.load({}, at.folder.resolve('plain/deep'))).rules.deny).toEqual([]);
  });

  test("in the home folder, the user's file is not read as a project file", async () => {
    await using at = await place();
    await at.write('.qwen/settings.json', { model: 'mine' });
    const sources = { configDir: at.folder.resolve('.qwen'), cwd: at.folder.path, flags: {} };
    expect(await loadSettings(sources)).toMatchObject({ model: 'mine', notices: [] });
  });
});

describe('an untrusted project', () => {
  test('can only restrict, and one notice lists what was ignored', async () => {
    verifies('S47', 'S48', 'S49');
    await using at = await place();
    await at.write('home/settings.json', { model: 'mine', permissions: { allow: ['Read'] } });
    await at.write('repo/.qwen/settings.json', EVERYTHING);
    const settings = await at.load();
    expect(settings).toMatchObject({
      rules: { allow: ['Read'], ask: ['Edit'], deny: ['Read(.env)'] },
      model: 'mine',
      hooks: [],
      mcpServers: [],
      additionalDirectories: [],
    });
    expect(settings).not.toHaveProperty('defaultMode');
    expect(settings.notices).toEqual([
      {
        code: 'untrusted_folder',
        message: `${at.repo} is not a trusted folder. Ignored until you trust it: hooks, MCP servers, allow rules, permission mode, additional directories, model. Its deny and ask rules apply. To trust it, run qwen trust, or pass --trust-project for one run.`,
      },
    ]);
    // Also what looks like the user's own file may have come with the repository.
    await at.write('repo/.qwen/settings.local.json', EVERYTHING);
    expect(await at.load()).toMatchObject({ hooks: [], mcpServers: [] });
  });

  test.each([
    ['plan', undefined, 'plan'],
    ['plan', 'yolo', 'plan'],
    ['auto-edit', 'yolo', 'auto-edit'],
    ['auto-edit', undefined, undefined],
    ['default', 'plan', 'plan'],
  ])('its mode %s over %s of the user is %s', async (project, user, expected) => {
    verifies('S49');
    await using at = await place();
    await at.write('home/settings.json', { permissions: { ...(user !== undefined && { defaultMode: user }) } });
    await at.write('repo/.qwen/settings.json', { permissions: { defaultMode: project } });
    expect((await at.load()).defaultMode).toBe(expected);
  });

  test('is ignored in safe mode without a notice; its denials still apply', async () => {
    await using at = await place();
    await at.write('repo/.qwen/settings.json', EVERYTHING);
    const settings = await at.load({ safeMode: true, trustProject: true });
    expect(settings).toMatchObject({ hooks: [], notices: [], rules: { allow: [], deny: ['Read(.env)'] } });
  });
});

describe('a trusted project', () => {
  test('applies by its real path, and a more permissive mode is reported', async () => {
    verifies('S49');
    await using at = await place();
    await at.write('repo/.qwen/settings.json', EVERYTHING);
    await symlink(at.repo, at.folder.resolve('link'));
    await trustProject(at.home, { folder: at.folder.resolve('link'), settings: [EVERYTHING as never] });
    const settings = await at.load();
    expect(settings).toMatchObject({ model: 'cheap', defaultMode: 'yolo', rules: { allow: ['Bash'] } });
    expect(settings.hooks).toHaveLength(1);
    expect(settings.additionalDirectories).toEqual([at.folder.resolve('other')]);
    expect(settings.notices).toMatchObject([{ code: 'project_widens_mode' }]);
    expect(await revokeTrust(at.home, at.repo)).toBe(true);
    expect(await revokeTrust(at.home, at.repo)).toBe(false);
    expect((await at.load()).hooks).toEqual([]);
  });

  test.each([
    ['a hook', { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'touch other' }] }] } }],
    ['a server', { mcpServers: { evil: { command: 'sh', args: ['-c', 'touch other'] } } }],
    ['the fallback model', { fallbackModel: 'expensive' }],
    ['an allow rule', { permissions: { ...EVERYTHING.permissions, allow: ['Bash', 'Edit'] } }],
  ])('needs new trust once %s has changed', async (_what, change) => {
    verifies('S50');
    await using at = await place();
    await at.write('repo/.qwen/settings.json', EVERYTHING);
    await trustProject(at.home, { folder: at.repo, settings: [EVERYTHING as never] });
    expect((await at.load()).mcpServers).toHaveLength(1);
    await at.write('repo/.qwen/settings.json', { ...EVERYTHING, ...change });
    const settings = await at.load();
    expect(settings).toMatchObject({ hooks: [], mcpServers: [], rules: { allow: [] } });
    expect(settings.notices[0]?.message).toContain('have changed since you trusted the folder');
  });

  test('stays trusted if only some of its files are read', async () => {
    await using at = await place();
    await at.write('repo/.qwen/settings.json', EVERYTHING);
    await at.write('repo/.qwen/settings.local.json', { model: 'local' });
    await trustProject(at.home, { folder: at.repo, settings: [EVERYTHING as never, { model: 'local' }] });
    expect(await at.load({ settingSources: ['project'] })).toMatchObject({ model: 'cheap' });
    expect(await at.load({ settingSources: ['local'] })).toMatchObject({ model: 'local', hooks: [] });
  });

  test('stays trusted if only the order of members or its denials change', async () => {
    await using at = await place();
    await trustProject(at.home, { folder: at.repo, settings: [EVERYTHING as never] });
    const { permissions, ...others } = EVERYTHING;
    await at.write('repo/.qwen/settings.json', { permissions: { ...permissions, deny: ['Write'] }, ...others });
    expect(await at.load()).toMatchObject({ model: 'cheap', rules: { deny: ['Write'] } });
  });
});

describe('an unreadable file prevents the start', () => {
  test.each([
    [
      'no JSON',
      '{"permissions": {"deny": ["Bash" "Edit"]}}\n',
      /, line 1, column 34: it is not valid JSON: expected a comma/,
    ],
    ['an empty file', '', /it is not valid JSON/],
    ['wrong types', '{"permissions": {"deny": "Bash"}}', /settings\.permissions\.deny: expected array/],
    ['an unknown mode', '{"permissions": {"defaultMode": "everything"}}', /settings\.permissions\.defaultMode/],
    [
      'a kind of hook that is not known',
      '{"hooks": {"Stop": [{"hooks": [{"type": "prompt"}]}]}}',
      /hooks\.Stop\.0\.hooks\.0/,
    ],
    [
      'a deny rule that is none',
      '{"permissions": {"deny": ["Bash(ls)", "Bash("]}}',
      /permissions\.deny\.1: .*"Bash\("/,
    ],
    ['an allow rule that is none', '{"permissions": {"allow": ["*ash"]}}', /permissions\.allow\.0: .*"\*ash"/],
    ['an ask rule that is none', '{"permissions": {"ask": [""]}}', /permissions\.ask\.0: .*""/],
    ['a matcher that is none', '{"hooks": {"Stop": [{"matcher": "(", "hooks": []}]}}', /hooks\.Stop\.0\.matcher/],
  ])('%s, in the file of the user and of a project', async (_what, text, message) => {
    verifies('S51');
    await using at = await place();
    for (const name of ['home/settings.json', 'repo/.qwen/settings.json']) {
      const path = await at.folder.write(name, text);
      const error = { code: 'invalid_settings', message: expect.stringMatching(message), data: { path } };
      await expect(at.load()).rejects.toMatchObject(error);
      await writeFile(path, '{}');
    }
    await expect(at.load()).resolves.toBeDefined();
  });

  test('the location of a mistake is reported, the text around it is not', async () => {
    verifies('S51');
    await using at = await place();
    await at.folder.write('home/settings.json', '{\n  "env": {"KEY": "sk-secret" x}\n}');
    await expect(at.load()).rejects.toThrow(/line 2, column/);
    await expect(at.load()).rejects.not.toThrow(/secret/);
  });

  test('rejects entries that are not files and dangling links', async () => {
    verifies('S51');
    await using at = await place();
    await mkdir(at.folder.resolve('home/settings.json'), { recursive: true });
    await expect(at.load()).rejects.toThrow(/not a file/);
    await mkdir(at.folder.resolve('repo/.qwen'));
    await symlink('/nowhere/settings.json', at.folder.resolve('repo/.qwen/settings.json'));
    await expect(at.load({ settingSources: ['project'] })).rejects.toMatchObject({ code: 'invalid_settings' });
    await expect(at.load({ settingSources: ['local'] })).resolves.toBe(NO_SETTINGS);
  });

  test('an invalid list of trusted folders trusts no folder', async () => {
    await using at = await place();
    await at.write('repo/.qwen/settings.json', EVERYTHING);
    await at.folder.write('home/trusted-folders.json', '{"folders": []}');
    await expect(at.load()).rejects.toMatchObject({ code: 'invalid_settings' });
  });
});

test('hooks of an unknown event or tool are reported', async () => {
  await using at = await place();
  await at.write('home/settings.json', {
    hooks: { PreToolUsed: [HOOK], PreToolUse: [{ ...HOOK, matcher: 'deploy' }] },
  });
  expect((await at.load()).notices).toMatchObject([{ code: 'unknown_hook_event' }, { code: 'unmatched_hook' }]);
});
