import { calls, says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { answerTo, control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const asks = (agent: string) =>
  calls({ name: 'task', input: { description: 'look', prompt: 'Look around.', subagent_type: agent } });

test('a subagent from a file works with its own prompt, model and tools', async () => {
  verifies('O-42', 'O-43', 'O-44');
  await using fixture = await openCliFixture([asks('scout'), says('All quiet.'), says('done')]);
  await fixture.workspace.write(
    'home/.qwen/agents/scout.md',
    '---\nname: scout\ndescription: Looks around.\ntools: Read\nmodel: small-model\n---\nYou are a scout.',
  );
  const agent = await fixture.startMachine();
  agent.send(control('init', { subtype: 'initialize' }));
  expect(await agent.next(answerTo('init'))).toMatchObject({
    response: { response: { agents: ['scout', 'general-purpose', 'explore', 'plan'] } },
  });
  agent.send(prompt('scout it'));
  expect(await agent.next({ type: 'system', subtype: 'init' })).toMatchObject({
    agents: ['scout', 'general-purpose', 'explore', 'plan'],
  });
  await agent.next(RESULT);
  const [, request] = fixture.model.requests;
  expect(request?.model).toBe('small-model');
  expect(JSON.stringify(request?.messages[0])).toContain('You are a scout.');
  expect(request?.['tools']).toMatchObject([{ function: { name: 'read_file' } }]);
});

test.each([
  ['as a list', [{ name: 'scout', systemPrompt: 'You are the scout of the app.' }]],
  ['as a map', { scout: { description: 'Looks.', prompt: 'You are the scout of the app.' } }],
])('subagents of the app %s take precedence over those of files', async (_form, agents) => {
  verifies('O-42', 'M-21');
  await using fixture = await openCliFixture([asks('scout'), says('All quiet.'), says('done')]);
  await fixture.workspace.write('home/.qwen/agents/scout.md', '---\nname: scout\n---\nYou are the scout of the file.');
  const agent = await fixture.startMachine();
  agent.send(control('init', { subtype: 'initialize', agents }));
  expect(await agent.next(answerTo('init'))).toMatchObject({
    response: { response: { agents: ['scout', 'general-purpose', 'explore', 'plan'] } },
  });
  agent.send(prompt('scout it'));
  await agent.next(RESULT);
  expect(JSON.stringify(fixture.model.requests[1]?.messages[0])).toContain('You are the scout of the app.');
});

test('an invalid file is reported with its line, and the session continues', async () => {
  await using fixture = await openCliFixture([says('done')]);
  const path = await fixture.workspace.write('home/.qwen/agents/bad.md', '---\nname: bad\nmaxTurns: many\n---\nHi.');
  const agent = await fixture.startMachine();
  agent.send(prompt('hi'));
  expect(await agent.next({ type: 'system', subtype: 'notice' })).toMatchObject({
    data: { code: 'invalid_agent', message: expect.stringContaining(`${path}: line 3`) },
  });
  await agent.next(RESULT);
});

test('hooks fire for the tools of subagents and at their end', async () => {
  verifies('FB5', 'GAP-49');
  const reads = calls({ name: 'read_file', input: { file_path: 'secret.txt' }, id: 'call_2' });
  await using fixture = await openCliFixture([asks('general-purpose'), reads, says('Could not.'), says('done')]);
  await fixture.workspace.write('secret.txt', 'the secret');
  const command = 'cat >> events.jsonl; echo "Not this one." >&2; exit 2';
  const hooks = {
    PreToolUse: [{ matcher: 'Read', hooks: [{ type: 'command', command }] }],
    SubagentStop: [{ hooks: [{ type: 'command', command: 'cat >> events.jsonl' }] }],
  };
  const agent = await fixture.startMachine(['--settings', JSON.stringify({ hooks })]);
  agent.send(prompt('look'));
  await agent.next(RESULT);
  const lines = (await fixture.workspace.read('events.jsonl')).trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    {
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      canonical_tool_name: 'read_file',
      parent_tool_use_id: 'call_1',
      agent: 'general-purpose',
    },
    { hook_event_name: 'SubagentStop', agent: 'general-purpose', parent_tool_use_id: 'call_1' },
  ]);
  expect(JSON.stringify(fixture.model.requests)).not.toContain('the secret');
});
