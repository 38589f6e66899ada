import type { AgentConfig } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { call, calling, results, runAll, saying, tool } from '../../test/scripted-engine.js';
import { createAgentSession, requestsOf, task } from '../../test/subagent-session.js';
import { knownAgents } from './known-agents.js';

const TOOLS = [
  tool('read_file', { kind: 'read' }),
  tool('write_file', { kind: 'edit' }),
  tool('run_shell_command', { kind: 'execute' }),
  tool('web_search', { kind: 'network' }),
  tool('mcp__app__look', { kind: 'read' }),
];

/** What the subagent may call, and what came of a call of each tool, in a session that allows everything. */
async function explore(agents: readonly AgentConfig[], name = 'explore') {
  const tries = TOOLS.map((one, at) => call(`s${at}`, one.name));
  const scripts = { go: [calling(task('t1', 'work', name)), saying('done')], work: [calling(...tries), saying('ok')] };
  const { session, model } = createAgentSession(scripts, {
    tools: TOOLS,
    agents: () => agents,
    permissionMode: 'yolo',
  });
  const ended = results(await runAll(session, 'go'));
  const [request] = requestsOf(model.requests, 'work');
  return { tools: request?.tools.map((one) => one.name), system: request?.system, ended };
}

test.each(['explore', 'plan', 'Explore'])('the built-in subagent %s reads and cannot change anything', async (name) => {
  const { tools, system, ended } = await explore([], name);
  expect(tools).toEqual(['read_file', 'run_shell_command', 'web_search']);
  expect(system).toContain('You cannot change anything.');
  expect(ended).toContain('read_file: read_file ran');
  expect(ended.join('\n')).not.toMatch(/(?:write_file|run_shell_command|mcp__app__look) ran/);
  expect(ended.join('\n')).toContain(
    'run_shell_command: [Operation Cancelled] Reason: Plan mode permits read-only work.',
  );
});

test("a project's agent of the same name stays read-only", async () => {
  const own = { name: 'explore', systemPrompt: 'Mine.', tools: ['Write', 'Bash', 'Read'], level: 'project' };
  const { tools, system, ended } = await explore([own]);
  expect(system).toMatch(/^Mine\./);
  expect(tools).toEqual(['read_file', 'run_shell_command']);
  expect(ended.join('\n')).not.toMatch(/(?:write_file|run_shell_command) ran/);
});

test('the user can replace it, or change only its model', async () => {
  const replaced = await explore([{ name: 'explore', systemPrompt: 'Mine.', level: 'user' }]);
  expect(replaced.ended).toContain('write_file: write_file ran');
  const [refined] = knownAgents([{ name: 'explore', model: 'small', level: 'user' }]);
  expect(refined).toMatchObject({ model: 'small', isReadOnly: true, systemPrompt: expect.stringContaining('explore') });
});
