import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, type PlatformPath, relative, sep } from 'node:path';
import type { FileStore } from '@qwen/agent/node';
import { findConfigDir, sessionsFolder } from '@qwen/host/config/config-dir.js';
import { toSessionInfo } from '@qwen/host/sessions/stored-sessions.js';
import { encodeLine, type SessionRecord } from '@qwen/protocol';
import { wantsJson } from '../words/json-flags.js';
import { readWords } from '../words/read-words.js';
import type { SessionsVerb } from './command.js';
import { countMessages } from './count-messages.js';
import { plainLine, readLimit, takeWords } from './session-arguments.js';
import { SESSIONS } from './spec.js';

const TITLE_LENGTH = 60;
const FOLDER_LENGTH = 200;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const listStoredSessions: SessionsVerb = async ({ store, words, environment, cwd, print }) => {
  const { flags, rest } = readWords(words, { command: 'sessions list', flags: SESSIONS.verbs.list.flags });
  takeWords(rest, []);
  const { sessions, nextCursor } = await store.list({
    ...(flags.all !== true && { cwd }),
    ...readLimit(flags.limit),
    ...(flags.cursor !== undefined && { cursor: flags.cursor }),
  });
  if (wantsJson(flags)) {
    const infos = sessions.map(toSessionInfo);
    const next = nextCursor !== undefined && { next_cursor: nextCursor };
    await print(encodeLine({ sessions: infos, ...next }));
    return 0;
  }
  const now = Date.now();
  const folderOfAll = sessionsFolder(findConfigDir(environment, cwd));
  for (const { sessionId, modifiedAtMs, title, firstPrompt, cwd: folder } of sessions) {
    const name = plainLine(title ?? firstPrompt ?? '', TITLE_LENGTH);
    const place = flags.all === true ? `  ${plainLine(shortenHome(folder, homedir()), FOLDER_LENGTH)}` : '';
    const messages = await countOf(store, join(folderOfAll, `${sessionId}.jsonl`), sessionId);
    const facts = [
      sessionId,
      toAge(now - modifiedAtMs).padEnd(8),
      `${messages} ${messages === '1' ? 'message' : 'messages'}`.padEnd(12),
    ];
    await print(`${facts.join('  ')}  ${name}${place}\n`);
  }
  if (nextCursor !== undefined) await print(`More: --cursor ${nextCursor}\n`);
  return 0;
};

/** A session deleted meanwhile has none. */
async function countOf(store: FileStore, path: string, sessionId: string): Promise<string> {
  if (existsSync(path)) return countMessages(path).catch(() => '0');
  let count = 0;
  const add = ({ type }: SessionRecord): void => {
    if (type === 'user' || type === 'assistant') count += 1;
  };
  await store.read(sessionId, { add }).catch(() => undefined);
  return String(count);
}

/** A clock that was set back yields age zero. */
export function toAge(elapsedMs: number): string {
  if (elapsedMs < MINUTE_MS) return 'now';
  if (elapsedMs < HOUR_MS) return `${Math.floor(elapsedMs / MINUTE_MS)} min`;
  if (elapsedMs < 2 * DAY_MS) return `${Math.floor(elapsedMs / HOUR_MS)} h`;
  return `${Math.floor(elapsedMs / DAY_MS)} days`;
}

type FolderRules = Pick<PlatformPath, 'isAbsolute' | 'relative' | 'sep'>;

/** Abbreviates the home directory as `~`. */
export function shortenHome(folder: string, home: string, rules: FolderRules = { isAbsolute, relative, sep }): string {
  const inside = rules.relative(home, folder);
  if (inside === '') return '~';
  return inside.split(rules.sep)[0] === '..' || rules.isAbsolute(inside) ? folder : `~${rules.sep}${inside}`;
}
