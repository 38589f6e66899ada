import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentLaunch } from './agent-process.js';

/** The configuration folder of agents with these launch options: settings, commands, conversations. Absolute. */
function configDirOf(launch: AgentLaunch = {}): string {
  const { QWEN_HOME, HOME = homedir() } = { ...process.env, ...launch.env };
  return QWEN_HOME ?? join(HOME, '.qwen');
}

/** The file in which an agent stores the conversation of a session. */
export function conversationFileOf(launch: AgentLaunch, sessionId: string): string {
  return join(configDirOf(launch), 'sessions', `${sessionId}.jsonl`);
}

/** The folder of the user's command files. Absolute. */
export function commandFolderOf(launch: AgentLaunch = {}): string {
  return join(configDirOf(launch), 'commands');
}
