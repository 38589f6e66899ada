import { describe, expect, test } from 'vitest';
import { initializePayload } from '../query/initialize-payload.js';
import { toArguments } from '../transport/spawn-args.js';
import { checkOptions } from './check-options.js';
import { REFUSED_AGENT_MEMBERS, REFUSED_OPTIONS, SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from './foreign-options.js';
import type { QueryOptions } from './options.js';

const spawnProcess = () => {
  throw new Error('not started');
};
const schema = { type: 'object', properties: {} };

describe('options of the Claude Agent SDK', () => {
  test.each<[QueryOptions, object]>([
    [{ maxTurns: 3 }, { maxSessionTurns: 3 }],
    [{ maxTurns: 3, maxSessionTurns: 3 }, { maxSessionTurns: 3 }],
    [{ disallowedTools: ['Bash'] }, { excludeTools: ['Bash'] }],
    [{ disallowedTools: ['Bash'], excludeTools: ['Bash'] }, { excludeTools: ['Bash'] }],
    [{ tools: ['Read'] }, { coreTools: ['Read'] }],
    [{ tools: [] }, { coreTools: [] }],
    [{ tools: { type: 'preset', preset: 'claude_code' } }, {}],
    [{ outputFormat: { type: 'json_schema', schema } }, { outputSchema: schema }],
    [{ pathToClaudeCodeExecutable: '/q' }, { pathToQwenExecutable: '/q' }],
    [
      { pathToQwenExecutable: 'bun:/q.js', toolNames: 'claude' },
      { pathToQwenExecutable: '/q.js', executable: 'bun' },
    ],
    [{ spawnClaudeCodeProcess: spawnProcess }, { spawnProcess }],
    [{ permissionMode: 'acceptEdits' }, { permissionMode: 'auto-edit' }],
    [{ permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true }, { permissionMode: 'yolo' }],
    [{ permissionMode: 'dontAsk', canUseTool: () => ({ behavior: 'allow' }) }, { permissionMode: 'default' }],
    [{ thinking: { type: 'adaptive' } }, {}],
    [{ thinking: { type: 'enabled', budgetTokens: 2_000 } }, { effort: 'low' }],
    [{ thinking: { type: 'enabled', budgetTokens: 2_000 }, effort: 'max' }, { effort: 'max' }],
    [{ maxThinkingTokens: 32_000 }, { effort: 'high' }],
    [{ maxThinkingTokens: 100_000 }, { effort: 'max' }],
    [{ permissionPrompts: 'none', canUseTool: () => ({ behavior: 'allow' }) }, {}],
    [{ permissionPrompts: 'host' }, {}],
    [{ forwardSubagentText: true, mcpServersDelivery: 'initialize' }, {}],
    [{ systemPrompt: { type: 'custom', prompt: ['One.', 'Two.'], snapshot: true } }, { systemPrompt: 'One.\n\nTwo.' }],
    [{ systemPrompt: ['One.', SYSTEM_PROMPT_DYNAMIC_BOUNDARY, 'Two.'] }, { systemPrompt: 'One.\n\nTwo.' }],
    [{ toolConfig: { askUserQuestion: {} } }, {}],
    [{ toolConfig: { askUserQuestion: { previewFormat: 'html' } } }, { extraArgs: ['--question-previews=html'] }],
    [{ customSystemPrompt: 'One.', appendSystemPrompt: 'Two.' }, { systemPrompt: 'One.\n\nTwo.' }],
    [{ appendSystemPrompt: 'Two.' }, { systemPrompt: { type: 'preset', preset: 'qwen_code', append: 'Two.' } }],
    [
      { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'One.' }, appendSystemPrompt: 'Two.' },
      { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'One.\n\nTwo.' } },
    ],
    [{ systemPrompt: ['One.'], appendSystemPrompt: 'Two.' }, { systemPrompt: 'One.\n\nTwo.' }],
    [{ strictMcpConfig: true }, { extraArgs: ['--strict-mcp-config'] }],
    [
      { toolNames: 'qwen', maxTurns: 1 },
      { toolNames: 'qwen', maxSessionTurns: 1 },
    ],
  ])('%j', (given, own) => {
    const { toolNames = 'claude', ...rest } = checkOptions(given);
    expect({ toolNames, ...rest }).toEqual({ toolNames: 'claude', ...own });
    expect(checkOptions(checkOptions(given))).toEqual(checkOptions(given));
  });

  test.each<QueryOptions>([
    { systemPrompt: { type: 'preset', preset: 'claude_code', append: 'Be brief.' } },
    { agents: { a: { prompt: 'You work.' } } },
  ])('%j expects the tool names of Claude Code', (given) => {
    expect(checkOptions(given)).toEqual({ ...given, toolNames: 'claude' });
  });

  test.each<QueryOptions>([{}, { maxSessionTurns: 1, permissionMode: 'yolo', allowedTools: ['Bash(git *)'] }])(
    '%j expects ours',
    (given) => {
      expect(checkOptions(given)).toEqual(given);
    },
  );

  test.each<[object, string]>([
    [{ maxTurns: 3, maxSessionTurns: 4 }, 'options.maxTurns and options.maxSessionTurns are the same option with diff'],
    [{ disallowedTools: ['Bash'], excludeTools: [] }, 'options.disallowedTools and options.excludeTools'],
    [{ spawnClaudeCodeProcess: () => ({}), spawnProcess }, 'options.spawnClaudeCodeProcess and options.spawnProcess'],
    [{ agents: { a: { prompt: 'x', systemPrompt: 'y' } } }, 'options.agents.a.prompt and systemPrompt'],
    [{ persistSession: false }, 'options.persistSession is not supported'],
    [{ thinking: { type: 'disabled' } }, 'options.thinking: thinking cannot be disabled'],
    [{ maxThinkingTokens: 0 }, 'options.maxThinkingTokens: thinking cannot be disabled'],
    [{ outputFormat: { type: 'text' } }, 'options.outputFormat: expected { type: "json_schema", schema }'],
    [{ permissionMode: 'auto' }, 'options.permissionMode: auto is not supported'],
    [{ tools: ['Read,Write'] }, 'options.coreTools: expected no commas'],
    [{ agents: { a: { prompt: 'x', tool: ['Read'] } } }, 'options.agents.0.tool does not exist; did you mean tools?'],
    [
      { agents: { a: { prompt: 'x', permissionMode: 'plan' } } },
      'options.agents.0.permissionMode is not supported by this version: subagents follow',
    ],
    [
      { agents: { a: { runConfig: { maxTurn: 1 } } } },
      'options.agents.0.runConfig.maxTurn does not exist; did you mean',
    ],
    [
      { agents: { a: { runConfig: { maxTurns: 1, max_turns: 2 } } } },
      'options.agents.a.runConfig.max_turns and options.agents.a.runConfig.maxTurns are the same option with diff',
    ],
    [{ agents: { a: { disallowedTools: ['Bash(rm *)'] } } }, 'options.agents.0.disallowedTools: Bash(rm *) is a rule'],
    [
      { mcpServers: { a: { command: 'x', arg: ['y'] } } },
      'options.mcpServers.a.arg does not exist; did you mean args?',
    ],
    [{ permissionPrompts: 'nobody' }, 'options.permissionPrompts: expected "host" or "none"'],
    [
      { hooks: { FileChanged: [] } },
      'options.hooks.FileChanged is not supported by this version: files are not watched',
    ],
    [{ hooks: { PreTooluse: [] } }, 'options.hooks.PreTooluse does not exist; did you mean PreToolUse?'],
    [{ hooks: { Stop: [{ hooks: [], onFailure: 'ignore' }] } }, 'options.hooks.Stop.0.onFailure'],
    [
      { mcpServers: { a: { url: 'http://x', tools: [] } } },
      'options.mcpServers.a.tools is not supported by this version',
    ],
    [{ mcpServers: { a: { command: 'x', disabledTools: [] } } }, 'options.mcpServers.a.disabledTools does not exist'],
  ])('%j is refused: %s', (given, message) => {
    expect(() => checkOptions(given as QueryOptions)).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(message) }),
    );
  });

  test.each(['dissallowedTools', 'denyTools', 'denidTools', 'blockedTools', 'exludeTools', 'notAllowedTools'])(
    '%s is never treated as the opposite',
    (name) => {
      const given = { [name]: ['Bash'] };
      expect(() => checkOptions(given)).not.toThrow(/did you mean allowedTools/);
      expect(() => checkOptions(given)).toThrow(`options.${name} does not exist`);
    },
  );

  test.each(Object.entries(REFUSED_OPTIONS))('%s is refused with a reason and a next step: %s', (name, reason) => {
    expect(() => checkOptions({ [name]: name === 'persistSession' ? false : 'x' })).toThrow(
      `options.${name} is not supported by this version: ${reason}`,
    );
  });

  test.each(Object.entries(REFUSED_AGENT_MEMBERS))('a subagent with %s is refused: %s', (name, reason) => {
    const agents = { a: { description: 'd', prompt: 'p', [name]: 'x' } };
    expect(() => checkOptions({ agents })).toThrow(
      `options.agents.0.${name} is not supported by this version: ${reason}`,
    );
  });

  test('a server may request its defaults', () => {
    const checked = checkOptions({ mcpServers: { a: { command: 'x', alwaysLoad: true } } });
    expect(initializePayload(checked).mcpServers).toEqual({ a: { command: 'x' } });
  });

  test('options that request nothing are accepted', () => {
    const given = { plugins: [], sandbox: undefined, promptSuggestions: false, persistSession: true };
    expect(() => checkOptions(given as QueryOptions)).not.toThrow();
  });

  test('a subagent has its prompt, its limit and the model of the session instead of a tier', () => {
    const agents = { a: { description: 'd', prompt: 'You work.', maxTurns: 3, model: 'haiku' } };
    expect(initializePayload(checkOptions({ agents })).agents).toEqual([
      { name: 'a', description: 'd', systemPrompt: 'You work.', runConfig: { maxTurns: 3, max_turns: 3 } },
    ]);
  });

  test('prompts in pieces are joined, and flags may be a map', () => {
    expect(initializePayload(checkOptions({ systemPrompt: ['One.', 'Two.'] })).systemPrompt).toBe('One.\n\nTwo.');
    const flags = toArguments(checkOptions({ extraArgs: { debug: null, record: 'x.jsonl' } }));
    expect(flags.slice(-2)).toEqual(['--debug', '--record=x.jsonl']);
    expect(() => checkOptions({ extraArgs: { yolo: null } })).toThrow('use the option for --yolo instead');
  });
});

test('the limits of a subagent may have either name, and both are sent', () => {
  const limits = { max_turns: 5, max_time_minutes: 1 };
  const agents = [{ name: 'a', description: 'd', systemPrompt: 'p', runConfig: limits, isBuiltin: false }];
  expect(initializePayload(checkOptions({ agents })).agents).toMatchObject([
    { runConfig: { maxTurns: 5, maxTimeMinutes: 1, ...limits } },
  ]);
});
