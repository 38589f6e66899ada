import { type AgentConfig, AgentError, type BuiltinToolName, GENERAL_AGENT_NAME } from '@qwen/protocol';

export interface KnownAgent extends AgentConfig {
  /** It has `READ_ONLY_TOOLS` at most, and works in plan mode. */
  readonly isReadOnly?: true;
}

/** In plan mode, the shell runs only commands that change nothing. */
export const READ_ONLY_TOOLS: readonly BuiltinToolName[] = [
  'read_file',
  'read_many_files',
  'list_directory',
  'glob',
  'grep_search',
  'run_shell_command',
  'web_fetch',
  'web_search',
];

const BUILT_IN: readonly KnownAgent[] = [
  { name: GENERAL_AGENT_NAME, description: 'Any task that takes several steps; has all tools.', level: 'built-in' },
  {
    name: 'explore',
    description: 'Searches and reads code to answer a question. Changes nothing.',
    systemPrompt: [
      'You explore a code base to answer one question. You cannot change anything.',
      'Search widely first, by name and by content, with several tool calls at once; then read what matters.',
      'Answer with the facts found, each with its file and line. State what you looked for and did not find.',
    ].join('\n'),
    level: 'built-in',
    isReadOnly: true,
  },
  {
    name: 'plan',
    description: 'Reads code and designs the steps of a change. Changes nothing.',
    systemPrompt: [
      'You plan a change of a code base. You cannot change anything.',
      'Read the code that the change touches, its callers and its tests, and look for existing code to use.',
      'Answer with the steps in order. Name for each the file, the change, and how to check it. End with open risks.',
    ].join('\n'),
    level: 'built-in',
    isReadOnly: true,
  },
];

/** Ignores case. */
export function readOnlyAgentNamed(name: string): KnownAgent | undefined {
  return BUILT_IN.find((agent) => agent.isReadOnly === true && agent.name === name.toLowerCase());
}

/** The configured agents, then the built-in ones that they do not replace. */
export function knownAgents(configured: readonly AgentConfig[]): readonly KnownAgent[] {
  const byName = new Map<string, KnownAgent>();
  for (const agent of [...configured.map(withBuiltIn), ...BUILT_IN]) {
    if (!byName.has(agent.name)) byName.set(agent.name, agent);
  }
  return [...byName.values()];
}

/**
 * Without a system prompt, an agent with the name of a built-in one changes only the members that it has. One of a
 * project stays read-only in any case: a repository must not give rights to an agent that the user knows as harmless.
 */
function withBuiltIn(agent: AgentConfig): KnownAgent {
  const builtIn = readOnlyAgentNamed(agent.name);
  if (builtIn === undefined) return agent;
  if (agent.systemPrompt === undefined) return { ...builtIn, ...agent, isReadOnly: true };
  return agent.level === 'project' ? { ...agent, isReadOnly: true } : agent;
}

/** Falls back to a name that differs in case. Throws `unknown_agent`. */
export function findAgent(configured: readonly AgentConfig[], name: string): KnownAgent {
  const agents = knownAgents(configured);
  const found =
    agents.find((agent) => agent.name === name) ??
    agents.find((agent) => agent.name.toLowerCase() === name.toLowerCase());
  if (found !== undefined) return found;
  const names = agents.map((agent) => agent.name).join(', ');
  throw new AgentError('unknown_agent', `There is no subagent named ${name}. The subagents are: ${names}.`);
}
