import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { agentFileNames } from './agent-file-names.js';

/** Bounds the start-up time of a folder full of files. */
export const MAX_AGENT_FILES = 200;
export const MAX_AGENT_BYTES = 256 * 1024;

export interface AgentText {
  readonly path: string;
  /** Missing when it is not a readable file or is too large. */
  readonly text?: string;
}

/** The agent files of one folder, read once: the checked text is the one that is used. */
export interface AgentTexts {
  readonly folder: string;
  readonly texts: readonly AgentText[];
  readonly isCut: boolean;
}

/** Never throws. */
export function readAgentTexts(folder: string): AgentTexts {
  const names = agentFileNames(folder);
  const paths = names.slice(0, MAX_AGENT_FILES).map((name) => join(folder, name));
  return { folder, texts: paths.map(readAgentText), isCut: names.length > MAX_AGENT_FILES };
}

function readAgentText(path: string): AgentText {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_AGENT_BYTES ? { path, text: readFileSync(path, 'utf8') } : { path };
  } catch {
    return { path };
  }
}
