import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isInside } from '@qwen/agent/node';
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

/** `folder` may be one file. Files that are links out of the boundary, a real path, have no text. Never throws. */
export function readAgentTexts(folder: string, boundary?: string): AgentTexts {
  const paths = folder.endsWith('.md') ? [folder] : agentFileNames(folder).map((name) => join(folder, name));
  const texts = paths.slice(0, MAX_AGENT_FILES).map((path) => readAgentText(path, boundary));
  return { folder, texts, isCut: paths.length > MAX_AGENT_FILES };
}

function readAgentText(path: string, boundary: string | undefined): AgentText {
  try {
    if (boundary !== undefined && !isInside(realpathSync(path), boundary)) return { path };
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MAX_AGENT_BYTES ? { path, text: readFileSync(path, 'utf8') } : { path };
  } catch {
    return { path };
  }
}
