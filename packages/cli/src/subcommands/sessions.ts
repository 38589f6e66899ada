import { findConfigDir, sessionsFolder } from '@qwen/host/config/config-dir.js';
import { openStore } from '@qwen/host/session-store.js';
import { deleteSessions, forkSession, renameSession } from './sessions/change.js';
import type { SessionsVerb } from './sessions/command.js';
import { exportSession } from './sessions/export.js';
import { listStoredSessions } from './sessions/list.js';
import { showSession } from './sessions/show.js';
import { SESSIONS } from './sessions/spec.js';
import type { Subcommand } from './subcommand.js';
import { chooseVerb } from './words/choose-verb.js';

const VERBS: Readonly<Record<keyof typeof SESSIONS.verbs, SessionsVerb>> = {
  list: listStoredSessions,
  show: showSession,
  rename: renameSession,
  delete: deleteSessions,
  export: exportSession,
  fork: forkSession,
};

export const runSessions: Subcommand = async (options) => {
  const chosen = chooseVerb('sessions', SESSIONS, options.words);
  if (chosen.kind === 'help') {
    await options.print(chosen.text);
    return 0;
  }
  const store = openStore({ sessionsDirectory: sessionsFolder(findConfigDir(options.environment, options.cwd)) });
  return VERBS[chosen.verb]({ ...options, store, words: chosen.words });
};
