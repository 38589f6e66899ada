import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentLaunch } from './agent-process.js';

/** The folder of the agents that are started like this: settings, commands, conversations. Absolute. */
export function configDirOf(launch: AgentLaunch = {}): string {
  const { QWEN_HOME, HOME = homedir() } = { ...process.env, ...launch.env };
  return QWEN_HOME ?? join(HOME, '.qwen');
}

/** The file in which an agent keeps the conversation of a session. */
export function conversationFileOf(launch: AgentLaunch, sessionId: string): string {
  return join(configDirOf(launch), 'sessions', `${sessionId}.jsonl`);
}

/** Where the user's own command files lie: the agents of a server look there too. Absolute. */
export function commandFolderOf(launch: AgentLaunch = {}): string {
  return join(configDirOf(launch), 'commands');
}
