import { expect, test } from 'vitest';
import { offeredAgents } from './offered-agents.js';

const scout = { name: 'scout' };

test('the built-in subagents are listed once, after the configured ones', () => {
  expect(offeredAgents({ agents: [scout], toolNames: ['task'] })).toEqual([
    'scout',
    'general-purpose',
    'explore',
    'plan',
  ]);
  const own = [{ name: 'general-purpose' }, scout];
  expect(offeredAgents({ agents: own, toolNames: ['task'] })).toEqual(['general-purpose', 'scout', 'explore', 'plan']);
});

test('without the task tool there are no built-in subagents', () => {
  expect(offeredAgents({ agents: [], toolNames: ['read_file'] })).toEqual([]);
});
