import { readOnlyAgentNamed } from '@qwen/agent';
import type { AgentConfig } from '@qwen/protocol';
import { isForeignModel } from './agent-configs.js';
import type { AgentFiles } from './agent-files.js';
import { type AgentTexts, MAX_AGENT_FILES } from './agent-texts.js';
import { readAgent } from './read-agent.js';

const LIMITED =
  'the built-in subagent of this name is read-only, and so is this one. Choose another name to give it more tools.';

/** A bad file becomes a notice. `plugin` is the prefix of the names. */
export function readAgents(
  { folder, texts, isCut }: AgentTexts,
  level: 'project' | 'user' | 'plugin',
  plugin?: string,
): AgentFiles {
  const read = texts.map((file) => ({ path: file.path, reading: readAgent(file) }));
  const tooMany = `${folder}: only the first ${MAX_AGENT_FILES} agent files were read`;
  return {
    agents: read.flatMap(({ reading }) => (reading.ok ? [{ ...ofPlugin(reading.agent, plugin), level }] : [])),
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

function ofPlugin({ model, ...agent }: AgentConfig, plugin: string | undefined): AgentConfig {
  if (plugin === undefined) return { ...agent, ...(model !== undefined && { model }) };
  const name = `${plugin}:${agent.name}`;
  return { ...agent, name, ...(model !== undefined && !isForeignModel(model) && { model }) };
}

function invalidAgent(message: string): AgentFiles['notices'][number] {
  return { code: 'invalid_agent', message };
}
