import { readFileSync } from 'node:fs';
import type { HookMoment } from '@qwen/agent';
import { HOOK_EVENTS } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { toHookInput } from './hook-input.js';

const page = readFileSync(new URL('../../../../docs/hooks.md', import.meta.url), 'utf8');

const CALL = { toolName: 't', aliases: [], callId: 'c', input: {}, parentToolUseId: null, agent: 'a' };
const MOMENTS: { readonly [Event in HookMoment['event']]: Extract<HookMoment, { event: Event }> } = {
  PreToolUse: { event: 'PreToolUse', call: CALL },
  PostToolUse: { event: 'PostToolUse', call: CALL, response: '', isError: false },
  PostToolUseFailure: { event: 'PostToolUseFailure', call: CALL, error: '' },
  PermissionRequest: { event: 'PermissionRequest', call: CALL, reason: '', blockedPath: null, suggestions: [] },
  UserPromptSubmit: { event: 'UserPromptSubmit', prompt: '' },
  Stop: { event: 'Stop', isActive: false, lastText: 'Done.' },
  SubagentStart: { event: 'SubagentStart', agent: 'a', parentToolUseId: 'p', prompt: '' },
  SubagentStop: { event: 'SubagentStop', isActive: false, lastText: 'Done.', agent: 'a', parentToolUseId: 'p' },
  SessionStart: { event: 'SessionStart', source: 'startup' },
  SessionEnd: { event: 'SessionEnd', reason: 'other' },
  PreCompact: { event: 'PreCompact', trigger: 'auto' },
  Notification: { event: 'Notification', kind: '', message: '' },
};

test.each(HOOK_EVENTS)('the page describes %s and its input', (event) => {
  verifies('T33');
  const rows = page.split('\n').filter((line) => line.startsWith(`| \`${event}\``));
  expect(rows).toHaveLength(2);
  const facts = { sessionId: 's', transcriptPath: '', cwd: '/', permissionMode: 'default' };
  const untold = Object.keys(toHookInput(MOMENTS[event], facts)).filter((member) => !page.includes(`\`${member}\``));
  expect(untold).toEqual([]);
});
