import type { SessionRecord } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { toTrajectory } from './render-trajectory.js';

const at = '2030-01-01T00:00:00.000Z';
const usage = (input: number, cost?: number) => ({
  input_tokens: input,
  output_tokens: 10,
  cache_read_input_tokens: 4,
  ...(cost !== undefined && { cost_usd: cost }),
});
const user = (content: string, parent?: string): SessionRecord => ({
  type: 'user',
  uuid: 'u',
  at,
  content,
  ...(parent !== undefined && { parent_tool_use_id: parent }),
});
const answer = (text: string, calls: readonly string[] = [], parent?: string): SessionRecord => ({
  type: 'assistant',
  uuid: 'a',
  at,
  model: 'm',
  content: [
    { type: 'thinking', thinking: 'Hm.' },
    { type: 'text', text },
    ...calls.map((id) => ({ type: 'tool_use' as const, id, name: 'look', input: { path: id } })),
  ],
  stop_reason: 'end_turn',
  usage: usage(100, 0.5),
  ...(parent !== undefined && { parent_tool_use_id: parent }),
});
const result = (id: string, content: string, isError = false): SessionRecord => ({
  type: 'tool_result',
  uuid: 'r',
  at,
  tool_use_id: id,
  tool_name: 'look',
  content,
  is_error: isError,
});

test('a turn with calls: steps, observations and totals', () => {
  const end: SessionRecord = { type: 'turn_end', at, outcome: 'success', usage: usage(250, 1.25) };
  const trajectory = toTrajectory(
    [user('Go'), answer('I look.', ['a', 'b']), result('b', 'no', true), result('a', 'yes'), answer('Done.'), end],
    's-1',
  );
  expect(trajectory).toMatchObject({
    schema_version: 'ATIF-v1.7',
    session_id: 's-1',
    agent: { name: 'qwen', model_name: 'm' },
    steps: [
      { step_id: 1, source: 'user', message: 'Go' },
      {
        step_id: 2,
        source: 'agent',
        message: 'I look.',
        reasoning_content: 'Hm.',
        tool_calls: [
          { tool_call_id: 'a', function_name: 'look', arguments: { path: 'a' } },
          { tool_call_id: 'b', function_name: 'look', arguments: { path: 'b' } },
        ],
        observation: {
          results: [
            { source_call_id: 'b', content: 'no', extra: { is_error: true } },
            { source_call_id: 'a', content: 'yes' },
          ],
        },
        metrics: { prompt_tokens: 100, completion_tokens: 10, cached_tokens: 4, cost_usd: 0.5 },
      },
      { step_id: 3, source: 'agent', message: 'Done.' },
    ],
    final_metrics: { total_prompt_tokens: 250, total_cost_usd: 1.25, total_steps: 3 },
  });
  expect(trajectory).not.toHaveProperty('subagent_trajectories');
});

test('a subagent is a trajectory, to which the result of its call refers', () => {
  const records = [answer('I ask.', ['t']), user('Find it', 't'), answer('Found.', [], 't'), result('t', 'Found.')];
  expect(toTrajectory(records, 's-1')).toMatchObject({
    steps: [{ observation: { results: [{ source_call_id: 't', subagent_trajectory_ref: [{ trajectory_id: 't' }] }] } }],
    subagent_trajectories: [{ trajectory_id: 't', steps: [{ message: 'Find it' }, { message: 'Found.' }] }],
  });
});

test('without a price there is no cost; only steps of the agent have its members', () => {
  const end: SessionRecord = { type: 'turn_end', at, outcome: 'success', usage: usage(250) };
  const { steps, final_metrics: totals } = toTrajectory([user('Go'), answer('Done.'), end], 's-1');
  expect(totals).not.toHaveProperty('total_cost_usd');
  expect(Object.keys(steps[0] ?? {})).toEqual(['step_id', 'timestamp', 'source', 'message']);
});
