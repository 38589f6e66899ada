import { toSessionInfo } from '@qwen/host/sessions/stored-sessions.js';
import { AgentError, encodeLine, escapeHidden } from '@qwen/protocol';
import { wantsJson } from '../words/json-flags.js';
import { readWords } from '../words/read-words.js';
import type { SessionsCommand, SessionsVerb } from './command.js';
import { findSession } from './find-session.js';
import { plainLine, takeWords } from './session-arguments.js';
import { SESSIONS } from './spec.js';

const TITLE_LENGTH = 60;

export const renameSession: SessionsVerb = async (command) => {
  const { flags, rest } = readWords(command.words, { command: 'sessions rename', flags: SESSIONS.verbs.rename.flags });
  const [word, title] = takeWords(rest, ['ID', 'TITLE']);
  const sessionId = await findSession(command.store, word);
  await command.store.rename(sessionId, title);
  return printChange(command, sessionId, wantsJson(flags) ? undefined : `Renamed ${sessionId}`);
};

/** Resolves all ids before deleting any. */
export const deleteSessions: SessionsVerb = async ({ words, store, print, ask = askAtTerminal }) => {
  const { flags, rest } = readWords(words, { command: 'sessions delete', flags: SESSIONS.verbs.delete.flags });
  if (rest.length === 0) throw new AgentError('usage', 'sessions: expected ID...; see qwen sessions help');
  const ids = [...new Set(await Promise.all(rest.map((word) => findSession(store, word))))];
  if (flags.yes !== true) {
    const names = await Promise.all(ids.map(async (id) => nameOf(await store.summary(id))));
    const answer = await ask(`Delete ${names.join(', ')} permanently?`);
    if (answer === undefined) {
      throw new AgentError('usage', 'sessions delete: cannot ask for confirmation here; pass --yes');
    }
    if (!answer) return 1;
  }
  for (const id of ids) {
    await store.delete(id);
    if (!wantsJson(flags)) await print(`Deleted ${id}\n`);
  }
  if (wantsJson(flags)) await print(encodeLine({ deleted: true, session_ids: ids }));
  return 0;
};

export const forkSession: SessionsVerb = async (command) => {
  const { store, words } = command;
  const { flags, rest } = readWords(words, { command: 'sessions fork', flags: SESSIONS.verbs.fork.flags });
  const [word] = takeWords(rest, ['ID']);
  const sourceId = await findSession(store, word);
  const { cwd } = await store.summary(sourceId);
  const session = { sessionId: crypto.randomUUID(), cwd, createdAt: new Date().toISOString() };
  const { sessionId, log } = await store.fork(sourceId, session, {
    sink: { add: () => undefined },
    ...(flags.at !== undefined && { upToMessageId: flags.at }),
  });
  await log.close();
  return printChange(command, sessionId, wantsJson(flags) ? undefined : sessionId);
};

async function printChange(
  { store, print }: SessionsCommand,
  sessionId: string,
  text: string | undefined,
): Promise<number> {
  await print(text === undefined ? encodeLine(toSessionInfo(await store.summary(sessionId))) : `${text}\n`);
  return 0;
}

function nameOf({ sessionId, title, firstPrompt }: Awaited<ReturnType<SessionsCommand['store']['summary']>>): string {
  const name = plainLine(title ?? firstPrompt ?? '', TITLE_LENGTH);
  return name === '' ? sessionId : `${sessionId} "${name}"`;
}

const MAX_ANSWER = 1000;

/** Anything but approval is a denial. Undefined if stdin or stderr is not a terminal. */
async function askAtTerminal(question: string): Promise<boolean | undefined> {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  stderr.write(`${escapeHidden(question)} [y/N] `);
  let answer = '';
  stdin.setEncoding('utf8');
  for await (const piece of stdin) {
    answer += String(piece);
    if (answer.includes('\n') || answer.length > MAX_ANSWER) break;
  }
  return /^\s*y(es)?\s*$/i.test(answer.split('\n', 1)[0] ?? '');
}
