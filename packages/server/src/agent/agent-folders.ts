import { homedir } from 'node:os';
import { join } from 'node:path';
import type { AgentLaunch } from './agent-process.js';

/** Absolute. */
export function dataFolderOf(launch: AgentLaunch = {}): string {
  const { QWEN_HOME, HOME = homedir() } = { ...process.env, ...launch.env };
  return QWEN_HOME ?? join(HOME, '.qwen');
}

export function conversationFileOf(launch: AgentLaunch, sessionId: string): string {
  return join(dataFolderOf(launch), 'sessions', `${sessionId}.jsonl`);
}

/** Absolute. */
export function commandFolderOf(launch: AgentLaunch = {}): string {
  return join(dataFolderOf(launch), 'commands');
}
