import {
  type AgentConfig,
  AgentError,
  canonicalInput,
  GENERAL_AGENT_NAME,
  TOOL_TABLE,
  toolAliases,
} from '@qwen/protocol';
import type { SubagentTask, Tool } from '../tool.js';
import { findAgent, knownAgents } from './known-agents.js';

export const TASK_TOOL_NAME = TOOL_TABLE.task.name;

export function createTaskTool(agents: () => readonly AgentConfig[]): Tool<SubagentTask> {
  return {
    name: TASK_TOOL_NAME,
    aliases: toolAliases(TASK_TOOL_NAME),
    get description() {
      return describe(knownAgents(agents()));
    },
    get inputSchema() {
      return toInputSchema(knownAgents(agents()));
    },
    // The calls of a subagent are decided one by one.
    kind: 'read',
    canonical: (input) => canonicalInput(toInputSchema(knownAgents(agents())), input, { hasAliases: true }),
    parse: (input) => readTask(input, agents()),
    paths: () => [],
    execute: async (task, { startSubagent }) => {
      if (startSubagent === undefined) throw new AgentError('unknown_agent', 'There are no subagents here.');
      return startSubagent(task);
    },
  };
}

function describe(agents: readonly AgentConfig[]): string {
  const lines = agents.map(({ name, description }) => `- ${name}${description ? `: ${description}` : ''}`);
  return [
    'Runs a subagent with a new conversation and returns its report.',
    'For broad searches and independent parts of a task: calls of one answer run in parallel. Subagents:',
    ...lines,
  ].join('\n');
}

function toInputSchema(agents: readonly AgentConfig[]): Tool['inputSchema'] {
  return {
    type: 'object',
    properties: {
      description: { type: 'string', description: 'In 3 to 5 words.' },
      prompt: { type: 'string', description: 'All that it needs to know; it sees nothing of this conversation.' },
      subagent_type: { type: 'string', enum: agents.map(({ name }) => name) },
    },
    required: ['description', 'prompt', 'subagent_type'],
  };
}

function readTask(input: unknown, agents: readonly AgentConfig[]): SubagentTask {
  const { prompt, description, subagent_type: agent = GENERAL_AGENT_NAME } = membersOf(input);
  if (typeof prompt !== 'string' || prompt.trim() === '') throw notAsExpected('prompt');
  if (typeof agent !== 'string') throw notAsExpected('subagent_type');
  const named = typeof description === 'string' && description.trim() !== '' ? { description: description.trim() } : {};
  return { agent: findAgent(agents, agent).name, prompt, ...named };
}

interface TaskMembers {
  readonly prompt?: unknown;
  readonly description?: unknown;
  readonly subagent_type?: unknown;
}

function membersOf(input: unknown): TaskMembers {
  return typeof input === 'object' && input !== null ? input : {};
}

function notAsExpected(member: string): AgentError {
  return new AgentError('invalid_tool_input', `task: "${member}" must be a string`, {
    data: { member },
  });
}
