import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { compileMatcher } from '../../name-matcher.js';
import { loadSettings } from '../load-settings.js';

/** What the user's file means, as text or JSON. */
async function load(file: unknown, more: { readonly project?: unknown; readonly trusted?: boolean } = {}) {
  await using folder = await temporaryFolder();
  const text = typeof file === 'string' ? file : JSON.stringify(file);
  await folder.write('home/settings.json', text);
  await folder.write('repo/.git/HEAD', '');
  if (more.project !== undefined) await folder.write('repo/.qwen/settings.json', JSON.stringify(more.project));
  const flags = { ...(more.trusted === true && { trustProject: true }) };
  const settings = await loadSettings({ configDir: folder.resolve('home'), cwd: folder.resolve('repo'), flags });
  const notices = settings.notices.map(({ message }) => message.replaceAll(folder.path, ''));
  return { settings, notices };
}

const PREFIX = '/home/settings.json is in the format of qwen-code.';

test('members with a counterpart have the same effect, and one notice lists the others', async () => {
  const { settings, notices } = await load({
    $version: 4,
    model: {
      name: 'qwen3-max',
      generationConfig: { timeout: 60_000, samplingParams: { temperature: 0.1 }, maxRetries: 2 },
    },
    modelProviders: {
      openai: [
        { id: 'other', baseUrl: 'http://127.0.0.1:1/v1', envKey: 'MY_KEY' },
        { id: 'qwen3-max', baseUrl: 'http://127.0.0.1:2/v1', envKey: 'MY_KEY', capabilities: { vision: true } },
      ],
    },
    security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: true } },
    env: { MY_KEY: 'secret', PATH: '/evil', NODE_OPTIONS: '--require x', HTTPS_PROXY: 'http://127.0.0.1:9' },
    tools: {
      approvalMode: 'auto-edit',
      allowed: ['ShellTool(git status)'],
      exclude: ['Shell(rm)'],
      core: ['ReadFileTool', 'Shell'],
    },
    mcp: { allowed: ['a'], excluded: ['b'] },
    context: { fileName: ['NOTES.md'], includeDirectories: ['~/other'], fileFiltering: { respectGitIgnore: true } },
    permissions: { deny: ['Bash(sudo)', 'Read(.env)'] },
    general: { preferredEditor: 'vscode', vimMode: true },
    ui: { theme: 'Qwen Light', accessibility: { screenReader: true }, compactMode: true },
    modelFallbacks: 'one, two',
    modelPricing: { 'qwen3-max': { inputPerMillionTokens: 1, outputPerMillionTokens: 2 } },
    privacy: { usageStatisticsEnabled: false },
  });
  expect(settings).toMatchObject({
    model: 'qwen3-max',
    provider: 'openai',
    defaultMode: 'auto-edit',
    fallbackModels: ['one', 'two'],
    modelOptions: {
      temperature: 0.1,
      timeouts: { firstByte: 60, idle: 60 },
      prices: { 'qwen3-max': { input: 1, output: 2 } },
    },
    rules: {
      allow: ['ShellTool(git status:*)'],
      deny: ['Bash(sudo:*)', 'Read(.env)', 'Shell(rm:*)', 'mcp__b'],
    },
    ui: { theme: 'light', screenReader: true, editor: 'code --wait' },
    extra: {
      instructionFiles: ['NOTES.md'],
      includeDirectories: ['~/other'],
      coreTools: ['read_file', 'run_shell_command'],
      allowedMcpServers: ['a'],
      variables: { MY_KEY: 'secret', HTTPS_PROXY: 'http://127.0.0.1:9' },
    },
  });
  expect(notices).toEqual([
    `${PREFIX} It sets the permission mode auto-edit. Members without effect: ` +
      'modelProviders.openai.1.capabilities, env.PATH, env.NODE_OPTIONS, model.generationConfig.maxRetries, ' +
      'general.vimMode, ui.compactMode.',
  ]);
});

test('reads the names of the first two versions', async () => {
  const first = await load({
    theme: 'ANSI',
    model: 'qwen-plus',
    selectedAuthType: 'openai',
    approvalMode: 'plan',
    contentGenerator: { samplingParams: { top_p: 0.5 } },
    excludeTools: ['WriteFileTool'],
    maxSessionTurns: 7,
    disableAutoUpdate: true,
    vimMode: true,
  });
  expect(first.settings).toMatchObject({
    model: 'qwen-plus',
    defaultMode: 'plan',
    modelOptions: { topP: 0.5 },
    rules: { deny: ['WriteFileTool'] },
    ui: { theme: 'ansi' },
    extra: { limits: { maxSessionTurns: 7 }, authType: 'openai' },
  });
  expect(first.notices).toEqual([`${PREFIX} Members without effect: vimMode.`]);
  const second = await load({
    $version: 2,
    model: { generationConfig: { disableCacheControl: true } },
    approvalMode: 'yolo',
  });
  expect(second.settings).toMatchObject({ modelOptions: { promptCache: 'off' } });
  expect(second.settings.defaultMode).toBeUndefined();
  const fifth = await load({ $version: 5, modelProviders: { openai: { protocol: 'openai', models: [{ id: 'm' }] } } });
  expect(fifth.settings.profiles).toMatchObject([{ name: 'openai', models: [{ id: 'm' }] }]);
});

test('an invalid member affects neither the others nor the start', async () => {
  const { settings, notices } = await load({
    $version: '3',
    model: { name: 5, maxSessionTurns: 'x', maxWallTimeSeconds: 0 },
    general: 'none',
    tools: { approvalMode: 'auto', core: 'all' },
    permissions: { allow: ['Read', 'Read(', 5], defaultMode: 'auto' },
    mcpServers: { good: { command: 'x' }, bad: { command: 5 } },
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true', timeout: 5000 }] }], Nope: [{ hooks: [] }] },
    ui: { theme: 'light', screenReader: 'yes' },
    modelProviders: { openai: [{ id: 'm', generationConfig: { timeout: 'x', contextWindowSize: 9 } }, {}], acme: [] },
    telemetry: { enabled: true, otlpEndpoint: 'http://127.0.0.1:1' },
    proxy: 5,
  });
  expect(settings).toMatchObject({
    rules: { allow: ['Read'] },
    mcpServers: [{ name: 'good' }],
    hooks: [{ event: 'Stop', group: { hooks: [{ timeout: 5 }] } }],
    ui: { theme: 'light' },
    profiles: [{ name: 'openai', models: [{ id: 'm', options: { contextWindow: 9 } }] }],
    telemetry: {},
  });
  expect(settings.defaultMode).toBeUndefined();
  const [notice = '', ...others] = notices;
  expect(others).toEqual([]);
  for (const name of [
    'model.name (expected string)',
    'model.maxSessionTurns',
    'model.maxWallTimeSeconds',
    'general,',
    'tools.approvalMode (no mode "auto"; qwen asks)',
    'tools.core (expected a list of strings)',
    'permissions.allow.1 (Invalid permission rule: "Read(". Write it as Tool or Tool(pattern).)',
    'permissions.allow.2',
    'permissions.defaultMode (no mode auto; qwen asks)',
    'mcpServers.bad (expected string)',
    'hooks.Nope (no such event)',
    'ui.screenReader',
    'modelProviders.openai.0.generationConfig.timeout',
    'modelProviders.openai.1',
    'telemetry.enabled',
    'telemetry.otlpEndpoint',
    'proxy',
  ]) {
    expect(notice).toContain(name);
  }
});

test.each([
  ['a deny rule that cannot be read', { permissions: { deny: ['Read('], allow: ['Bash'] } }],
  ['a list of tools that cannot be read', { tools: { exclude: 'Shell' }, permissions: { allow: ['Bash'] } }],
  [
    'a guard that cannot run',
    { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url: 'x' }] }] }, permissions: { allow: ['Bash'] } },
  ],
  [
    'a guard of a mistyped tool',
    {
      hooks: { PreToolUse: [{ matcher: 'edit|wriet_file', hooks: [{ type: 'command', command: 'true' }] }] },
      permissions: { allow: ['Bash'] },
    },
  ],
])('with %s nothing is allowed', async (_what, file) => {
  const { settings, notices } = await load({
    $version: 4,
    mcpServers: { a: { command: 'x', trust: true } },
    ...file,
    tools: { approvalMode: 'yolo', ...('tools' in file && file.tools) },
  });
  expect(settings.defaultMode).toBeUndefined();
  expect(settings.rules.allow).toEqual([]);
  expect(settings.mcpServers).toMatchObject([{ config: { command: 'x' } }]);
  expect(settings.mcpServers[0]?.config).not.toHaveProperty('trust');
  expect(notices.join()).toContain(
    'tools.approvalMode (yolo needs a rule, hook or sandbox that has no effect here; qwen asks)',
  );
  expect(notices.join()).toContain('permissions.allow (');
});

test('a mode that relies on a sandbox needs one', async () => {
  const { settings, notices } = await load({ $version: 4, tools: { approvalMode: 'yolo', sandbox: 'docker' } });
  expect(settings.defaultMode).toBeUndefined();
  expect(notices.join()).toContain('tools.sandbox');
  const without = await load({ $version: 4, tools: { approvalMode: 'yolo', sandbox: false } });
  expect(without.settings.defaultMode).toBe('yolo');
  expect(without.notices).toEqual([`${PREFIX} It sets the permission mode yolo.`]);
});

test('a limit of no tool calls is kept, and -1 is no limit', async () => {
  for (const maxToolCalls of [0, -1]) {
    const { settings } = await load({ $version: 4, model: { maxToolCalls } });
    expect(settings.extra.limits).toEqual({ toolCalls: maxToolCalls });
  }
});

test('reads comments, a byte order mark and variables', async () => {
  process.env['QWEN_TEST_NAME'] = 'from-environment';
  const { settings } = await load(
    '\ufeff// mine\n{ "$version": 3, "model": { "name": "${QWEN_TEST_NAME}-x" }, /* no */ "mcpServers": ' +
      '{ "a": { "command": "x", "env": { "T": "$QWEN_TEST_NAME", "U": "$QWEN_TEST_NONE" } } }, }',
  );
  expect(settings.model).toBe('from-environment-x');
  expect(settings.mcpServers).toMatchObject([{ config: { env: { T: 'from-environment', U: '$QWEN_TEST_NONE' } } }]);
});

test('deny and ask rules of an invalid file apply; an invalid file of qwen prevents the start', async () => {
  const { settings, notices } = await load(
    '{ "$version": 3, "tools": { "approvalMode": "yolo" }, "permissions": { "allow": ["*"], "deny": ["Bash(rm)"], "ask": ["Edit"',
  );
  expect(settings.rules).toEqual({ allow: [], ask: ['Edit'], deny: ['Bash(rm:*)'] });
  expect(settings.defaultMode).toBeUndefined();
  expect(notices).toEqual([expect.stringMatching(/line 1, column \d+.*only deny and ask rules apply/)]);
  await expect(load('{ "permissions": { "deny": ["Bash(rm)"')).rejects.toMatchObject({ code: 'invalid_settings' });
  await expect(load({ model: 5 })).rejects.toMatchObject({ code: 'invalid_settings' });
});

test("a project gets none of the user's members, and none at all without trust", async () => {
  const project = {
    $version: 4,
    model: { name: 'p', maxSessionTurns: -1 },
    env: { OPENAI_BASE_URL: 'http://127.0.0.1:1', PATH: '/evil' },
    security: { auth: { selectedType: 'openai', baseUrl: 'http://127.0.0.1:1' } },
    modelProviders: { openai: [{ id: 'p', baseUrl: 'http://127.0.0.1:1' }] },
    tools: { approvalMode: 'yolo', allowed: ['Shell'], core: ['ReadFile', 'Shell'], exclude: ['WriteFile'] },
    context: { fileName: ['.env', 'NOTES.md'], includeDirectories: ['../x'] },
    ui: { theme: 'Qwen Light' },
    mcpServers: { a: { command: 'x', env: { T: '$HOME' } } },
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'touch x' }] }] },
  };
  const user = { $version: 4, tools: { core: ['ReadFile'] } };
  const untrusted = await load(user, { project });
  expect(untrusted.settings).toMatchObject({
    rules: { allow: [], deny: ['WriteFile'] },
    hooks: [],
    mcpServers: [],
    additionalDirectories: [],
    profiles: [],
    ui: {},
    extra: { limits: {}, coreTools: ['read_file'], variables: {} },
  });
  expect(untrusted.settings).not.toHaveProperty('defaultMode');
  expect(untrusted.settings).not.toHaveProperty('model');
  expect(untrusted.settings.extra).not.toHaveProperty('instructionFiles');
  expect(untrusted.notices).toEqual([
    expect.stringContaining('is not a trusted folder'),
    expect.stringContaining('modelProviders has no effect in a project. Move it to'),
  ]);
  const trusted = await load(user, { project, trusted: true });
  expect(trusted.settings).toMatchObject({
    model: 'p',
    defaultMode: 'yolo',
    rules: { allow: ['Shell'], deny: ['WriteFile'] },
    profiles: [],
    ui: {},
    extra: { limits: {}, coreTools: ['read_file'], instructionFiles: ['NOTES.md'], variables: {} },
  });
  expect(trusted.settings.mcpServers).toMatchObject([{ config: { env: { T: process.env['HOME'] } } }]);
  expect(trusted.notices.join()).toContain('The project sets the permission mode yolo');
  expect(trusted.notices.join()).toContain('env.OPENAI_BASE_URL (only in your own settings)');
  await expect(load(user, { project: { $version: 4, permissions: { deny: ['Read('] } } })).rejects.toMatchObject({
    code: 'invalid_settings',
  });
});

test('object member names and nulls are treated like other names and invalid values', async () => {
  const { settings, notices } = await load(
    '{"$version": 4, "__proto__": {"model": {"name": "x"}}, "constructor": 1, "modelProviders": {"__proto__": [{"id": "m"}], ' +
      '"constructor": [{"id": "m"}]}, "env": {"__proto__": "x"}, "mcpServers": {"__proto__": {"command": "x"}}, ' +
      '"hooks": {"__proto__": [], "Stop": null}, "permissions": null, "tools": {"core": null}, "model": {"name": null}}',
  );
  expect(settings.model).toBeUndefined();
  expect(settings.profiles).toEqual([]);
  for (const name of [
    '__proto__.model.name',
    'constructor',
    'modelProviders.constructor',
    'hooks.Stop',
    'permissions',
    'model.name',
    'tools.core',
  ]) {
    expect(notices.join()).toContain(name);
  }
});

test.each([
  ['edit|write_file', ['edit', 'mcp__fs__edit_file', 'mcp__fs__write_file'], ['read_file']],
  ['read', ['read_file', 'read_many_files', 'mcp__fs__read'], ['edit']],
  ['^write|edit$', ['write_file', 'my_edit'], ['read_file']],
  ['^mcp__a|shell', ['mcp__a__b', 'run_shell_command'], ['my_mcp__a']],
  ['^(?:write|edit)', ['write_file', 'edit'], ['my_edit']],
  ['shell|^edit$', ['run_shell_command', 'edit'], ['edits']],
  ['^read_|[|$]$', ['read_file', 'my_read_|'], ['my_read_']],
  ['a\\$', ['a$b'], ['a']],
  ['^a.*|^b.*', ['abc', 'bcd'], ['xabc']],
])('the matcher "%s" matches the same names as in qwen-code', async (matcher, matched, others) => {
  const { settings, notices } = await load({
    $version: 4,
    hooks: { PreToolUse: [{ matcher, hooks: [{ type: 'command', command: 'true' }] }] },
  });
  expect(notices.join()).not.toContain('matcher');
  const match = compileMatcher(settings.hooks[0]?.group.matcher);
  const expression = new RegExp(matcher);
  for (const name of [...matched, ...others]) {
    expect([name, match([name]) !== undefined]).toEqual([name, matched.includes(name)]);
    expect(expression.test(name)).toBe(matched.includes(name));
  }
});

test.each<[{ readonly samplingParams?: object; readonly reasoning?: object }, string]>([
  [{ samplingParams: { max_tokens: 0 } }, 'samplingParams.max_tokens'],
  [{ samplingParams: { max_tokens: 1.5 } }, 'samplingParams.max_tokens'],
  [{ samplingParams: { temperature: -1 } }, 'samplingParams.temperature'],
  [{ samplingParams: { top_p: 2 } }, 'samplingParams.top_p'],
  [{ samplingParams: { top_p: 'x' } }, 'samplingParams.top_p'],
  [{ reasoning: { budget_tokens: -1 } }, 'reasoning.budget_tokens'],
])('with the wrong option %j the others stay', async (wrong, path) => {
  const generationConfig = { timeout: 60_000, ...wrong, samplingParams: { seed: 7, ...wrong.samplingParams } };
  const { settings, notices } = await load({
    $version: 4,
    model: { generationConfig },
    modelProviders: { openai: [{ id: 'm', generationConfig }] },
  });
  const options = { timeouts: { firstByte: 60, idle: 60 }, extraBody: { seed: 7 } };
  expect(settings.modelOptions).toEqual(options);
  expect(settings.profiles).toMatchObject([{ models: [{ id: 'm', options }] }]);
  expect(settings.profiles[0]?.models[0]?.options).toEqual(options);
  expect(notices.join()).toContain(`model.generationConfig.${path} (expected`);
  expect(notices.join()).toContain(`modelProviders.openai.0.generationConfig.${path} (expected`);
});
