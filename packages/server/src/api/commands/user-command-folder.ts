import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentLaunch } from '../../agent/agent-process.js';

/** Where the user's own command files lie: the agents of a server look there too. Absolute. */
export function userCommandFolder(launch: AgentLaunch = {}): string {
  const { QWEN_HOME, HOME = homedir() } = { ...process.env, ...launch.env };
  return join(QWEN_HOME ?? join(HOME, '.qwen'), 'commands');
}
