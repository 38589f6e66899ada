import { expect, test } from 'vitest';
import { offeredAgents } from './offered-agents.js';

const scout = { name: 'scout' };

test('the general subagent is listed once, after the configured ones', () => {
  expect(offeredAgents({ agents: [scout], toolNames: ['task'] })).toEqual(['scout', 'general-purpose']);
  const own = [{ name: 'general-purpose' }, scout];
  expect(offeredAgents({ agents: own, toolNames: ['task'] })).toEqual(['general-purpose', 'scout']);
});

test('without the task tool there is no general subagent', () => {
  expect(offeredAgents({ agents: [], toolNames: ['read_file'] })).toEqual([]);
});
