import { findConfigDir, sessionsFolder } from '@qwen/host/config/config-dir.js';
import { openStore } from '@qwen/host/session-store.js';
import { BUILTIN_TOOL_NAMES } from '@qwen/protocol';
import type { SubcommandOptions } from '../subcommand.js';
import type { WordKind } from '../words/command-spec.js';
import { type Candidate, commandWords } from './complete.js';
import { SHELLS } from './spec.js';

const MAX_SESSIONS = 100;

export async function findWords(kind: WordKind, options: SubcommandOptions): Promise<readonly Candidate[]> {
  switch (kind) {
    case 'session':
      return findSessions(options);
    case 'server':
      return findServers(options);
    case 'model':
      return findModels(options);
    case 'tool':
      return BUILTIN_TOOL_NAMES.map((value) => ({ value }));
    case 'command':
      return commandWords();
    case 'verb':
      return ['allow', 'ask', 'deny'].map((value) => ({ value }));
    case 'shell':
      return SHELLS.map((value) => ({ value }));
    case 'file':
    case 'folder':
    case 'none':
      return [];
  }
}

async function findSessions({ environment, cwd }: SubcommandOptions): Promise<readonly Candidate[]> {
  const store = openStore({ sessionsDirectory: sessionsFolder(findConfigDir(environment, cwd)) });
  const here = await store.list({ cwd, limit: MAX_SESSIONS });
  const { sessions } = here.sessions.length > 0 ? here : await store.list({ limit: MAX_SESSIONS });
  return sessions.map(({ sessionId, title, firstPrompt }) => ({
    value: sessionId,
    meaning: title ?? firstPrompt ?? '',
  }));
}

async function findServers(options: SubcommandOptions): Promise<readonly Candidate[]> {
  const { describePlace, knownServers } = await import('../mcp/known-servers.js');
  const { outside } = await knownServers({ ...options, printError: () => undefined });
  return Object.entries(outside).map(([value, definition]) => ({ value, meaning: describePlace(definition) }));
}

/** Configured models only: a request to the provider is too slow for completion. */
async function findModels({ environment, cwd }: SubcommandOptions): Promise<readonly Candidate[]> {
  const { loadSettings } = await import('@qwen/host/config/load-settings.js');
  const { createModelRoutes } = await import('@qwen/host/config/model-routes.js');
  const settings = await loadSettings({ configDir: findConfigDir(environment, cwd), cwd, flags: {} });
  const { provider, listed } = createModelRoutes({ flags: {}, environment, settings });
  const named = [environment.QWEN_MODEL, environment.OPENAI_MODEL, settings.model, provider.defaultModel, ...listed];
  return [...new Set(named)].flatMap((value) => (value === undefined ? [] : [{ value }]));
}
