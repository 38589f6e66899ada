import { join } from 'node:path';
import { agentFileNames } from './agent-file-names.js';
import type { AgentFiles } from './agent-files.js';
import { readAgent } from './read-agent.js';

/** More than a person can tell apart; a folder full of files must not hold the start up. */
const MAX_FILES = 200;

/** Reads the `.md` files of a folder, by name. What is wrong with one is told and costs that one. */
export function readAgents(folder: string): AgentFiles {
  const names = agentFileNames(folder);
  const read = names.slice(0, MAX_FILES).map((name) => {
    const path = join(folder, name);
    return { path, reading: readAgent(path) };
  });
  const tooMany = `${folder}: only the first ${MAX_FILES} agent files were read`;
  return {
    agents: read.flatMap(({ reading }) => (reading.ok ? [reading.agent] : [])),
    notices: [
      ...read.flatMap(({ path, reading }) => reading.problems.map((problem) => invalidAgent(`${path}: ${problem}`))),
      ...(names.length > MAX_FILES ? [invalidAgent(tooMany)] : []),
    ],
  };
}

function invalidAgent(message: string): AgentFiles['notices'][number] {
  return { code: 'invalid_agent', message };
}
