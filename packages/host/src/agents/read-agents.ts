import { readOnlyAgentNamed } from '@qwen/agent';
import type { AgentFiles } from './agent-files.js';
import { type AgentTexts, MAX_AGENT_FILES } from './agent-texts.js';
import { readAgent } from './read-agent.js';

const LIMITED =
  'the built-in subagent of this name is read-only, and so is this one. Choose another name to give it more tools.';

/** A bad file becomes a notice. */
export function readAgents({ folder, texts, isCut }: AgentTexts, level: 'project' | 'user'): AgentFiles {
  const read = texts.map((file) => ({ path: file.path, reading: readAgent(file) }));
  const tooMany = `${folder}: only the first ${MAX_AGENT_FILES} agent files were read`;
  return {
    agents: read.flatMap(({ reading }) => (reading.ok ? [{ ...reading.agent, level }] : [])),
    notices: [
      ...read.flatMap(({ path, reading }) => reading.problems.map((problem) => invalidAgent(`${path}: ${problem}`))),
      ...read.flatMap(({ path, reading }) => {
        const isLimited = level === 'project' && reading.ok && readOnlyAgentNamed(reading.agent.name) !== undefined;
        return isLimited ? [invalidAgent(`${path}: ${LIMITED}`)] : [];
      }),
      ...(isCut ? [invalidAgent(tooMany)] : []),
    ],
  };
}

function invalidAgent(message: string): AgentFiles['notices'][number] {
  return { code: 'invalid_agent', message };
}
