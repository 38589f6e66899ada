import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { AgentLaunch } from './agent-process.js';

/** Makes `QWEN_HOME` absolute: agents would resolve it against their workspace. */
export function withAbsoluteHome(launch: AgentLaunch = {}): AgentLaunch {
  const { QWEN_HOME } = { ...process.env, ...launch.env };
  return QWEN_HOME === undefined ? launch : { ...launch, env: { ...launch.env, QWEN_HOME: resolve(QWEN_HOME) } };
}

/** Absolute. */
export function dataFolderOf(launch: AgentLaunch = {}): string {
  const { QWEN_HOME, HOME = homedir() } = { ...process.env, ...launch.env };
  return resolve(QWEN_HOME ?? join(HOME, '.qwen'));
}

/** Absolute. */
export function conversationFileOf(launch: AgentLaunch, sessionId: string): string {
  return join(dataFolderOf(launch), 'sessions', `${sessionId}.jsonl`);
}

/** Absolute. */
export function commandFolderOf(launch: AgentLaunch = {}): string {
  return join(dataFolderOf(launch), 'commands');
}
