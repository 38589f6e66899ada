import { join } from 'node:path';
import type { AgentLaunch } from '../../agent/agent-process.js';
import { qwenHomeOf } from '../../agent/qwen-home.js';

/** Where the user's own command files lie: the agents of a server look there too. Absolute. */
export function userCommandFolder(launch: AgentLaunch = {}): string {
  return join(qwenHomeOf(launch), 'commands');
}
