import type { AgentFiles } from './agent-files.js';
import { type AgentTexts, MAX_AGENT_FILES } from './agent-texts.js';
import { readAgent } from './read-agent.js';

/** A bad file becomes a notice. */
export function readAgents({ folder, texts, isCut }: AgentTexts): AgentFiles {
  const read = texts.map((file) => ({ path: file.path, reading: readAgent(file) }));
  const tooMany = `${folder}: only the first ${MAX_AGENT_FILES} agent files were read`;
  return {
    agents: read.flatMap(({ reading }) => (reading.ok ? [reading.agent] : [])),
    notices: [
      ...read.flatMap(({ path, reading }) => reading.problems.map((problem) => invalidAgent(`${path}: ${problem}`))),
      ...(isCut ? [invalidAgent(tooMany)] : []),
    ],
  };
}

function invalidAgent(message: string): AgentFiles['notices'][number] {
  return { code: 'invalid_agent', message };
}
