import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SettingsFiles, SettingsSources } from '../config/settings-files.js';
import { readTrust } from '../config/settings-layers.js';
import type { AgentFiles } from './load-agents.js';
import { readAgent } from './read-agent.js';

/** More than a person can tell apart; a folder full of files must not hold the start up. */
const MAX_FILES = 200;

/** Reads the `.md` files of a folder, by name. What is wrong with one is told and costs that one. */
export function readAgents(folder: string): AgentFiles {
  const names = namesIn(folder);
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

/** Those of a project, once it is trusted: they are instructions that a stranger may have written. */
export function readProjectAgents(
  folder: string,
  { found, sources }: { readonly found: SettingsFiles; readonly sources: SettingsSources },
): AgentFiles {
  const trust = readTrust(found, sources);
  if (trust === 'trusted') return readAgents(folder);
  if (trust === 'skipped' || namesIn(folder).length === 0) return { agents: [], notices: [] };
  const message = `${found.projectFolder} is not a trusted folder: its agent files were left out. To change that: qwen trust, or --trust-project for one run.`;
  return { agents: [], notices: [{ code: 'untrusted_folder', message }] };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .toSorted();
  } catch {
    // It is no folder, or not for us to read: there are no agents in it.
    return [];
  }
}

function invalidAgent(message: string): AgentFiles['notices'][number] {
  return { code: 'invalid_agent', message };
}
