import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import type { Flags } from './args.js';
import { parseArgs, splitList } from './parse-args.js';

const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';

/** The flag, its value on the command line, and the parsed value. */
const VALUED: readonly (readonly [string, string, Flags])[] = [
  ['--prompt', 'hi', { prompt: 'hi' }],
  ['--print', 'hi', { prompt: 'hi' }],
  ['--system-prompt', 'Be brief.', { systemPrompt: 'Be brief.' }],
  ['--append-system-prompt', 'Be kind.', { appendSystemPrompt: 'Be kind.' }],
  ['--input-format', 'stream-json', { inputFormat: 'stream-json' }],
  ['--output-format', 'stream-chunk-json', { outputFormat: 'stream-chunk-json' }],
  ['--channel', 'SDK', { channel: 'SDK' }],
  ['--model', 'qwen3', { model: 'qwen3' }],
  ['--auth-type', 'vertex-ai', { authType: 'vertex-ai' }],
  ['--openai-base-url', 'http://localhost:1/v1', { baseUrl: 'http://localhost:1/v1' }],
  ['--base-url', 'http://localhost:1/v1?a=b', { baseUrl: 'http://localhost:1/v1?a=b' }],
  ['--model-header', 'X-A: b=c', { modelHeaders: ['X-A: b=c'] }],
  ['--approval-mode', 'plan', { approvalMode: 'plan' }],
  ['--approval-mode', 'auto-edit', { approvalMode: 'auto-edit' }],
  ['--permission-mode', 'acceptEdits', { permissionMode: 'acceptEdits' }],
  ['--permission-prompt-tool', 'stdio', { permissionPromptTool: 'stdio' }],
  ['--allowed-tools', 'Bash(git *),Edit', { allowedTools: ['Bash(git *)', 'Edit'] }],
  ['--allowedTools', 'Edit', { allowedTools: ['Edit'] }],
  ['--exclude-tools', 'Bash, Edit', { excludeTools: ['Bash', 'Edit'] }],
  ['--disallowedTools', 'Bash', { excludeTools: ['Bash'] }],
  ['--disallowed-tools', 'Bash', { excludeTools: ['Bash'] }],
  ['--core-tools', 'Read,Edit', { coreTools: ['Read', 'Edit'] }],
  ['--tools', '', { coreTools: [] }],
  ['--include-directories', '../a,../b', { includeDirectories: ['../a', '../b'] }],
  ['--add-dir', '../a', { includeDirectories: ['../a'] }],
  ['--mcp-config', '{"mcpServers":{"a":{},"b":{}}}', { mcpConfig: ['{"mcpServers":{"a":{},"b":{}}}'] }],
  ['--allowed-mcp-server-names', 'a,b', { allowedMcpServerNames: ['a', 'b'] }],
  ['--resume', ID, { resume: ID }],
  ['--session-id', ID, { sessionId: ID }],
  ['--max-session-turns', '3', { maxSessionTurns: 3 }],
  ['--max-session-turns', '-1', { maxSessionTurns: -1 }],
  ['--max-turns', '3', { maxSessionTurns: 3 }],
];

const SHORT: readonly (readonly [string, string, Flags])[] = [
  ['-p', 'hi', { prompt: 'hi' }],
  ['-o', 'json', { outputFormat: 'json' }],
  ['-m', 'qwen3', { model: 'qwen3' }],
  ['-r', ID, { resume: ID }],
];

const SWITCHES: readonly (readonly [string, Flags])[] = [
  ['--include-partial-messages', { includePartialMessages: true }],
  ['--include-partial-messages=false', { includePartialMessages: false }],
  ['--include-hook-events', { includeHookEvents: true }],
  ['--yolo', { yolo: true }],
  ['-y', { yolo: true }],
  ['--safe-mode', { safeMode: true }],
  ['--continue', { continue: true }],
  ['-c', { continue: true }],
  ['--fork-session', { forkSession: true }],
  ['--debug', { debug: true }],
  ['-d', { debug: true }],
  ['--help', { help: true }],
  ['-h', { help: true }],
  ['--version', { version: true }],
  ['-v', { version: true }],
  ['--prompt', { prompt: '' }],
];

const usage = expect.objectContaining({ code: 'usage' });

describe('reads flags with their values', () => {
  test.each(VALUED)('%s %s', (flag, value, flags) => {
    expect(parseArgs([flag, value])).toEqual({ flags, words: [], unknown: [], notes: [] });
    expect(parseArgs([`${flag}=${value}`, 'prompt'])).toEqual({ flags, words: ['prompt'], unknown: [], notes: [] });
  });

  test.each(SHORT)('%s %s', (flag, value, flags) => {
    expect(parseArgs([flag, value])).toEqual({ flags, words: [], unknown: [], notes: [] });
  });

  test.each(SWITCHES)('%s', (flag, flags) => {
    expect(parseArgs([flag])).toEqual({ flags, words: [], unknown: [], notes: [] });
  });
});

test('words form the prompt, in order, and so does everything after --', () => {
  expect(parseArgs(['fix', '-m', 'x', 'it', '-', '--', '--not-a-flag', '-p']).words).toEqual([
    'fix',
    'it',
    '-',
    '--not-a-flag',
    '-p',
  ]);
});

test('accepts settings of other CLIs', () => {
  const { flags } = parseArgs(['--settings', '{}', '--setting-sources=user,local', '--strict-mcp-config']);
  expect(flags).toEqual({ settings: '{}', settingSources: ['user', 'local'], strictMcpConfig: true });
  expect(parseArgs(['--setting-sources', '']).flags).toEqual({ settingSources: [] });
});

test('-p takes the next word unless it is a flag', () => {
  expect(parseArgs(['-p', 'say hi', '-y'])).toMatchObject({ flags: { prompt: 'say hi', yolo: true } });
  expect(parseArgs(['-p', '-y', 'say hi'])).toMatchObject({ flags: { prompt: '', yolo: true }, words: ['say hi'] });
});

test('lists add up, other flags keep the last value', () => {
  const { flags } = parseArgs(['--allowed-tools', 'a', '-m', 'x', '--allowed-tools=b,c', '-m', 'y', '--add-dir', 'd']);
  expect(flags).toEqual({ allowedTools: ['a', 'b', 'c'], model: 'y', includeDirectories: ['d'] });
});

test('lists split at commas outside of brackets', () => {
  expect(splitList('Bash(git log, x),Edit(/a,b/**) , ,Read')).toEqual(['Bash(git log, x)', 'Edit(/a,b/**)', 'Read']);
});

test('invalid values are refused with the allowed ones', () => {
  verifies('GAP-14', 'A-10');
  expect(() => parseArgs(['--output-format', 'xml'])).toThrow(
    /--output-format: "xml" is not one of text, json, stream/,
  );
  expect(() => parseArgs(['--input-format=json'])).toThrow(usage);
  expect(() => parseArgs(['--approval-mode', 'auto'])).toThrow(/default, plan|plan, default/);
  expect(() => parseArgs(['--max-session-turns', 'many'])).toThrow(/whole number/);
  expect(() => parseArgs(['--model'])).toThrow(/--model needs a value/);
  expect(() => parseArgs(['--yolo=please'])).toThrow(/takes no value/);
});

test('reads limits, models and the output format', () => {
  verifies('GAP-59');
  const argv = ['--max-wall-time=90s', '--max-tool-calls', '5', '--max-tokens=9', '--session-token-limit', '99'];
  const more = ['--json-schema={"type":"object"}', '--fallback-model', 'a,b', '--effort=high', '--resume-session-at=m'];
  expect(parseArgs([...argv, ...more]).flags).toEqual({
    maxWallTime: '90s',
    maxToolCalls: 5,
    maxTokens: 9,
    sessionTokenLimit: 99,
    jsonSchema: '{"type":"object"}',
    fallbackModel: ['a', 'b'],
    effort: 'high',
    resumeSessionAt: 'm',
  });
});

test('the sandbox has a mode, by default the workspace', () => {
  expect(parseArgs(['--sandbox']).flags).toEqual({ sandbox: 'workspace-write' });
  expect(parseArgs(['--sandbox', '--debug']).flags).toEqual({ sandbox: 'workspace-write', debug: true });
  expect(parseArgs(['--sandbox=read-only', 'hi'])).toMatchObject({ flags: { sandbox: 'read-only' }, words: ['hi'] });
  for (const text of ['docker', 'true', '']) expect(() => parseArgs([`--sandbox=${text}`])).toThrow(usage);
});

describe('flags of other CLIs', () => {
  test.each([['--worktree'], ['--insecure'], ['--extensions', 'a'], ['--openai-api-key', 'sk-secret']])(
    '%s is refused by name, because ignoring it is not safe',
    (...argv) => {
      const [flag = ''] = argv;
      expect(() => parseArgs(argv)).toThrow(usage);
      expect(() => parseArgs(argv)).toThrow(flag.split('=', 1)[0]);
      expect(() => parseArgs(argv)).not.toThrow(/sk-secret/);
    },
  );

  test.each([['--betas=x'], ['--thinking', 'adaptive']])('%s is accepted with a warning', (...argv) => {
    const { flags, words, unknown, notes } = parseArgs(argv);
    expect({ flags, words, unknown, notes: notes.length }).toEqual({ flags: {}, words: [], unknown: [], notes: 1 });
  });

  test.each([['--verbose'], ['--max-subagent-depth=2'], ['--project-config-root', 'a']])(
    '%s requests the default',
    (...argv) => {
      expect(parseArgs(argv)).toEqual({ flags: {}, words: [], unknown: [], notes: [] });
    },
  );
});

test('unknown flags are collected as written, with their likely value', () => {
  expect(parseArgs(['--from-the-future', 'value', '-z', '--other=1', 'prompt', '--constructor'])).toEqual({
    flags: {},
    words: ['prompt'],
    unknown: ['--from-the-future', '-z', '--other', '--constructor'],
    notes: [],
  });
});
