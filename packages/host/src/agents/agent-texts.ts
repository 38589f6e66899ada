import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { agentFileNames } from './agent-file-names.js';

/** More than a person can tell apart; a folder full of files must not hold the start up. */
export const MAX_AGENT_FILES = 200;
export const MAX_AGENT_BYTES = 256 * 1024;

/** An agent file as it was read, once: what is judged is what counts, whoever changes the file meanwhile. */
export interface AgentText {
  /** Absolute. */
  readonly path: string;
  /** Missing when it is no file that can be read, or a larger one than agents have. */
  readonly text?: string;
}

/** The agent files of one folder. */
export interface AgentTexts {
  /** Absolute. */
  readonly folder: string;
  /** By name. */
  readonly texts: readonly AgentText[];
  /** Whether there are more than we read. */
  readonly isCut: boolean;
}

/** Reads the `.md` files of a folder. Never throws. */
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
