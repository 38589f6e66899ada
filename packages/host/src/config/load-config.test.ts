import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { NO_AGENT_FILES } from '../agents/agent-files.js';
import type { Flags } from '../flags/args.js';
import type { Environment } from './env.js';
import { loadConfiguration } from './load-config.js';
import { type EffectiveSettings, NO_SETTINGS } from './settings.js';

const load = (flags: Flags = {}, environment: Environment = {}, settings: Partial<EffectiveSettings> = {}) =>
  loadConfiguration({
    flags,
    environment,
    cwd: '/work/space',
    settings: { ...NO_SETTINGS, ...settings },
    agentFiles: NO_AGENT_FILES,
  });

test('defaults', () => {
  verifies('M-48');
  expect(load()).toMatchObject({
    cwd: '/work/space',
    additionalRoots: [],
    permissionMode: 'default',
    rules: { allow: [], ask: [], deny: [] },
    includePartialMessages: false,
    includeHookEvents: false,
    readsProjectInstructions: true,
    readsUserInstructions: true,
    trustsProject: false,
    sendsSuggestions: true,
    asksNoOne: false,
    answersQuestions: false,
    debug: false,
  });
  expect(load().sessionsDirectory).toMatch(/\/\.qwen\/sessions$/);
  expect(load()).not.toHaveProperty('maxModelCalls');
});

test('settings rank between variables and defaults; rules of both apply', () => {
  const settings = {
    model: 'from-settings',
    defaultMode: 'plan',
    rules: { allow: ['Read'], ask: ['Edit'], deny: ['Bash'] },
    additionalDirectories: ['/more'],
  } as const;
  expect(load({}, {}, settings)).toMatchObject({
    model: 'from-settings',
    permissionMode: 'plan',
    additionalRoots: ['/more'],
  });
  expect(load({}, { QWEN_MODEL: 'variable' }, settings).model).toBe('variable');
  const openAi = { OPENAI_MODEL: 'of-openai', OPENAI_API_KEY: 'k' };
  expect(load({}, openAi, settings).model).toBe('of-openai');
  expect(load({ authType: 'gemini' }, { ...openAi, GEMINI_API_KEY: 'k' }, settings).model).toBe('from-settings');
  const flags = { allowedTools: ['Glob'], excludeTools: ['Write'], yolo: true, includeDirectories: ['/flag'] };
  const joined = load(flags, {}, settings);
  expect(joined).toMatchObject({ permissionMode: 'yolo', additionalRoots: ['/more', '/flag'] });
  expect(joined.rules).toEqual({ allow: ['Read', 'Glob'], ask: ['Edit'], deny: ['Bash', 'Write'] });
  expect(joined.tools).not.toContain('run_shell_command');
  expect(joined.tools).not.toContain('write_file');
});

test('flags override variables, which override defaults', () => {
  const environment = { OPENAI_API_KEY: 'k', OPENAI_MODEL: 'provider-model', QWEN_HOME: '/home/of/qwen' };
  expect(load({}, environment)).toMatchObject({ model: 'provider-model', sessionsDirectory: '/home/of/qwen/sessions' });
  expect(load({}, { ...environment, QWEN_MODEL: 'mine' }).model).toBe('mine');
  expect(load({ model: 'flag' }, { ...environment, QWEN_MODEL: 'mine' }).model).toBe('flag');
});

test('folders are absolute', () => {
  expect(load({ includeDirectories: ['../other', '/abs'] }).additionalRoots).toEqual(['/work/other', '/abs']);
  expect(load({}, { QWEN_HOME: 'state' }).sessionsDirectory).toBe('/work/space/state/sessions');
});

test.each([
  [{ approvalMode: 'plan' }, 'plan'],
  [{ permissionMode: 'acceptEdits' }, 'auto-edit'],
  [{ permissionMode: 'bypassPermissions' }, 'yolo'],
  [{ permissionMode: 'plan' }, 'plan'],
  [{ yolo: true }, 'yolo'],
  [{ yolo: true, approvalMode: 'yolo', permissionMode: 'bypassPermissions' }, 'yolo'],
] satisfies [Flags, string][])('%j is mode %s', (flags, mode) => {
  expect(load(flags).permissionMode).toBe(mode);
});

test.each([
  { yolo: true, approvalMode: 'plan' },
  { approvalMode: 'plan', permissionMode: 'bypassPermissions' },
  { maxSessionTurns: 0 },
  { maxSessionTurns: -2 },
] satisfies Flags[])('%j is refused', (flags) => {
  expect(() => load(flags)).toThrow(expect.objectContaining({ code: 'usage' }));
});

test('reads limits and switches', () => {
  expect(load({ maxSessionTurns: 3 }).maxModelCalls).toBe(3);
  expect(load({ maxSessionTurns: -1 }).maxModelCalls).toBe(Number.POSITIVE_INFINITY);
  expect(load({ outputFormat: 'stream-chunk-json' }).includePartialMessages).toBe(true);
  expect(load({ safeMode: true })).toMatchObject({ readsProjectInstructions: false, readsUserInstructions: false });
  const ofUser = { readsProjectInstructions: false, readsUserInstructions: true };
  expect(load({ settingSources: ['user'] })).toMatchObject(ofUser);
  const claude = { CLAUDE_CODE_ENTRYPOINT: 'sdk-py', CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: 'html' };
  expect(load({}, claude)).toMatchObject({
    sendsSuggestions: false,
    answersQuestions: false,
    questionPreviews: 'html',
  });
  expect(load({ permissionPromptTool: 'stdio' }, claude).answersQuestions).toBe(true);
  expect(load({ channel: 'SDK' }).answersQuestions).toBe(true);
  expect(load({ permissionMode: 'dontAsk' }, claude)).toMatchObject({ permissionMode: 'default', asksNoOne: true });
  expect(() => load({ permissionMode: 'dontAsk' })).toThrow('is for SDKs');
});

test('reads the longest line length', () => {
  expect(load()).not.toHaveProperty('maxLineBytes');
  expect(load({}, { QWEN_MAX_LINE_BYTES: '67108864' }).maxLineBytes).toBe(67_108_864);
  for (const bad of ['0', '-1', '64MB', '1e9']) {
    expect(() => load({}, { QWEN_MAX_LINE_BYTES: bad })).toThrow(/QWEN_MAX_LINE_BYTES needs a number of bytes/);
  }
});

test('an empty system prompt is none', () => {
  expect(load({ systemPrompt: '' })).not.toHaveProperty('systemPrompt');
});
