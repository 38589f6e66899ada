import { AgentError, type ControlLine, type SDKMessage, toControlLine } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { fromClaudeContent, toClaudeLine, toClaudeMessage } from './claude-control-lines.js';

const answer = (result: unknown): ControlLine => toControlLine({ kind: 'response', requestId: 'r', ok: true, result });

const resultOf = (line: object) => expect.objectContaining({ response: expect.objectContaining({ response: line }) });

test('an error is text, which readers put into an Error unchanged', () => {
  const error = new AgentError('unknown_subtype', 'Unknown control request subtype: stop_task');
  expect(toClaudeLine(toControlLine({ kind: 'response', requestId: 'r', ok: false, error }))).toEqual({
    type: 'control_response',
    response: { subtype: 'error', request_id: 'r', error: 'Unknown control request subtype: stop_task' },
  });
});

test('initialize is answered with descriptions instead of names', () => {
  const names = { subtype: 'initialize', commands: ['clear'], agents: ['helper'], model: 'm', session_id: 's' };
  const account = { provider: 'openai', credential_source: 'OPENAI_API_KEY' };
  expect(toClaudeLine(answer({ ...names, account }))).toEqual(
    resultOf({
      subtype: 'initialize',
      session_id: 's',
      commands: [{ name: 'clear', description: '', argumentHint: '' }],
      agents: [{ name: 'helper', description: '' }],
      model: 'm',
      models: [{ value: 'm', displayName: 'm', description: 'm' }],
      account: { ...account, apiKeySource: 'OPENAI_API_KEY', tokenSource: 'OPENAI_API_KEY', apiProvider: 'openai' },
    }),
  );
});

test('servers have the states that it knows', () => {
  const servers = ['connected', 'connecting', 'disconnected'].map((status) => ({ name: status, status }));
  const told = [
    { name: 'connected', status: 'connected' },
    { name: 'connecting', status: 'pending' },
    { name: 'disconnected', status: 'failed' },
  ];
  expect(toClaudeLine(answer({ mcpServers: servers }))).toEqual(resultOf({ mcpServers: told }));
});

test('everything else is unchanged', () => {
  for (const line of [
    answer(null),
    answer({ subtype: 'set_model', model: 'm' }),
    toControlLine({ kind: 'request', requestId: 'r', subtype: 'can_use_tool', payload: { tool_name: 'edit' } }),
    toControlLine({ kind: 'cancel', requestId: 'r' }),
  ]) {
    expect(toClaudeLine(line)).toEqual(line);
  }
});

test('apps can format the cost and read the errors of a result without a check', () => {
  const base: object = { type: 'result', uuid: 'u', session_id: 's', usage: {}, permission_denials: [] };
  const result = (more: object) => ({ ...base, ...more }) as SDKMessage;
  const success = result({ subtype: 'success', is_error: false, result: 'Done.' });
  expect(toClaudeMessage(success)).toEqual({
    ...success,
    total_cost_usd: 0,
    stop_reason: null,
    terminal_reason: 'completed',
  });
  expect(toClaudeMessage(result({ subtype: 'success', total_cost_usd: 0.25 }))).toMatchObject({ total_cost_usd: 0.25 });
  const tokens = { inputTokens: 1, outputTokens: 1, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
  expect(toClaudeMessage(result({ subtype: 'success', modelUsage: { m: tokens } }))).toMatchObject({
    modelUsage: { m: { ...tokens, costUSD: 0, contextWindow: 0, maxOutputTokens: 0 } },
  });
  const failed = result({ subtype: 'error_max_turns', is_error: true, error: { message: 'Too many.' } });
  expect(toClaudeMessage(failed)).toMatchObject({ subtype: 'error_max_turns', errors: ['Too many.'] });
  const noOutput = result({ subtype: 'error_output_schema', is_error: true, error: { message: 'No answer.' } });
  expect(toClaudeMessage(noOutput)).toMatchObject({ subtype: 'error_max_structured_output_retries' });
  const interrupted = { subtype: 'error_during_execution', is_error: true, errors: ['The turn was interrupted.'] };
  expect(toClaudeMessage(result({ subtype: 'interrupted', is_error: false }))).toMatchObject(interrupted);
  const byHook = result({ subtype: 'interrupted', is_error: false, interrupt_reason: 'Enough.' });
  expect(toClaudeMessage(byHook)).toMatchObject({ errors: ['The turn was interrupted: Enough.'] });
});

test('init has the mode dontAsk while no one is asked in the mode default', () => {
  const init = (mode: string) => {
    const line: object = {
      type: 'system',
      subtype: 'init',
      tools: [],
      mcp_servers: [{ name: 'a', status: 'disconnected' }],
      permission_mode: mode,
    };
    return line as SDKMessage;
  };
  expect(toClaudeMessage(init('default'), true)).toMatchObject({
    permissionMode: 'dontAsk',
    mcp_servers: [{ name: 'a', status: 'failed' }],
  });
  expect(toClaudeMessage(init('default'), false)).toMatchObject({ permissionMode: 'default' });
  expect(toClaudeMessage(init('yolo'), true)).toMatchObject({ permissionMode: 'bypassPermissions' });
});

test('a prompt that is one text may be a slash command', () => {
  const help = { type: 'text', text: '/help' } as const;
  expect(fromClaudeContent('/help')).toBe('/help');
  expect(fromClaudeContent([help])).toBe('/help');
  expect(fromClaudeContent([help, help])).toEqual([help, help]);
  expect(fromClaudeContent([])).toEqual([]);
});
