import type { ModelRequest } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import {
  call,
  calling,
  createTestSession,
  ofType,
  outcomes,
  results,
  runAll,
  saying,
  tool,
} from '../../test/scripted-engine.js';
import { createAgentSession, HELPER, requestsOf, task } from '../../test/subagent-session.js';

const look = tool('look', { aliases: ['LookTool'] });
const change = tool('edit', { kind: 'edit' });

const settingsOf = ({ model, temperature, topP, maxOutputTokens, tools }: ModelRequest) => ({
  model,
  temperature,
  topP,
  maxOutputTokens,
  tools: tools.map(({ name }) => name),
});

const SETTINGS = {
  model: 'scripted',
  temperature: undefined,
  topP: undefined,
  maxOutputTokens: undefined,
  tools: ['look', 'edit'],
};

test('overrides apply to one prompt, and the next one uses the settings again', async () => {
  verifies('E-19', 'E-20', 'E-21');
  const { session, model } = createTestSession([saying('one'), saying('two')], { tools: [look, change] });
  const overrides = { model: 'other', temperature: 0.2, topP: 0.9, maxOutputTokens: 100, toolNames: ['EditTool'] };
  session.submit({ uuid: '1', content: 'a', overrides });
  session.submit({ uuid: '2', content: 'b' });
  const events = await runAll(session);
  const overridden = { model: 'other', temperature: 0.2, topP: 0.9, maxOutputTokens: 100, tools: ['edit'] };
  expect(model.requests.map(settingsOf)).toEqual([overridden, SETTINGS]);
  expect(ofType(events, 'message_start').map((event) => event.model)).toEqual(['other', 'scripted']);
  expect(session.model).toBe('scripted');
});

test('does not run a tool that the prompt excludes, and reports unknown names', async () => {
  verifies('E-21', 'CF-69');
  const { session } = createTestSession([calling(call('c1', 'edit')), saying('ok')], {
    tools: [look, change],
    permissionMode: 'yolo',
  });
  session.submit({ uuid: '1', content: 'a', overrides: { toolNames: ['LookTool', 'nothing', 'edit(x)'] } });
  const events = await runAll(session);
  expect(results(events)).toEqual(['edit: There is no tool named edit. The tools are: look.']);
  expect(ofType(events, 'notice').map(({ code, message }) => `${code}: ${message}`)).toEqual([
    'unknown_tool_name: The prompt names the tool nothing, which this session does not have.',
    'unknown_tool_name: The prompt names the tool edit(x), which this session does not have.',
  ]);
});

test('an empty list means no tools except the one for structured output', async () => {
  verifies('E-21');
  const output = { schema: { type: 'object' }, problemsOf: () => [] };
  const give = calling(call('c1', 'structured_output', { a: 1 }));
  const { session, model } = createTestSession([give], { tools: [look], output });
  session.submit({ uuid: '1', content: 'a', overrides: { toolNames: [] } });
  expect(outcomes(await runAll(session))).toMatchObject([{ type: 'success', structured: { a: 1 } }]);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(['structured_output']);
});

test('an unavailable model ends only that turn', async () => {
  verifies('E-19');
  const fixture = createTestSession([saying('ok')]);
  const { session } = createTestSession([], {
    createModel: (id) =>
      id === 'gone'
        ? Promise.reject(new AgentError('model_not_found', 'no such model'))
        : Promise.resolve(fixture.model),
  });
  session.submit({ uuid: '1', content: 'a', overrides: { model: 'gone' } });
  session.submit({ uuid: '2', content: 'b' });
  expect(outcomes(await runAll(session))).toMatchObject([
    { type: 'error', error: { code: 'model_not_found' } },
    { type: 'success', text: 'ok' },
  ]);
});

test('subagents inherit them unless their definition differs', async () => {
  verifies('E-19');
  const hot = { ...HELPER, name: 'hot', modelConfig: { temp: 1 } };
  const own = { ...HELPER, name: 'own', model: 'mine' };
  const { session, model } = createAgentSession(
    {
      go: [calling(task('t1', 'one', 'hot'), task('t2', 'two', 'own')), saying('done')],
      '*': [saying('report')],
    },
    { tools: [look, change], agents: () => [hot, own] },
  );
  session.submit({
    uuid: '1',
    content: 'go',
    overrides: { model: 'other', temperature: 0.2, toolNames: ['look', 'task'] },
  });
  await runAll(session);
  const [one, two] = ['one', 'two'].map((prompt) => requestsOf(model.requests, prompt).map(settingsOf));
  const inherited = { ...SETTINGS, model: 'other', temperature: 0.2, tools: ['look'] };
  expect(one).toEqual([{ ...inherited, temperature: 1 }]);
  expect(two).toEqual([{ ...inherited, model: 'mine' }]);
});
