import { open } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { EXPORT_FORMATS, type ExportFormat, renderConversation } from '@qwen/commands';
import { AgentError, type SessionRecord, systemCodeOf } from '@qwen/protocol';
import { readWords } from '../words/read-words.js';
import type { SessionsCommand, SessionsVerb } from './command.js';
import { findSession } from './find-session.js';
import { SESSIONS } from './spec.js';

const PAGE = 500;

export const exportSession: SessionsVerb = async ({ store, words, cwd, print }) => {
  const { flags, rest } = readWords(words, { command: 'sessions export', flags: SESSIONS.verbs.export.flags });
  const [word, file, ...more] = rest;
  if (word === undefined || more.length > 0) {
    throw new AgentError('usage', 'sessions: expected ID [FILE]; see qwen sessions help');
  }
  const sessionId = await findSession(store, word);
  const records = await readAll(store, sessionId);
  const answer = records.findLast(({ type }) => type === 'assistant');
  const model = answer?.type === 'assistant' ? answer.model : 'unknown';
  const format = flags.format ?? formatOf(file) ?? 'md';
  const text = renderConversation(format, records, { sessionId, model });
  if (file === undefined) {
    await print(text);
    return 0;
  }
  const path = resolve(cwd, file);
  await writeNew(path, text);
  await print(`Wrote ${path}\n`);
  return 0;
};

function formatOf(file: string | undefined): ExportFormat | undefined {
  if (file?.endsWith('.atif.json') === true) return 'atif';
  const ending = file === undefined ? '' : extname(file).slice(1).toLowerCase();
  return EXPORT_FORMATS.find((format) => format === ending);
}

async function readAll(store: SessionsCommand['store'], sessionId: string): Promise<SessionRecord[]> {
  const records: SessionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.messages(sessionId, { limit: PAGE, ...(cursor !== undefined && { cursor }) });
    // Messages of subagents are covered by the result of their call.
    records.push(...page.messages.filter(({ parent_tool_use_id: parent }) => parent === undefined || parent === null));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return records;
}

/** Mode 0600, because conversations may contain secrets. Never overwrites. */
async function writeNew(path: string, text: string): Promise<void> {
  try {
    await using file = await open(path, 'wx', 0o600);
    await file.writeFile(text);
  } catch (cause) {
    if (systemCodeOf(cause) === 'EEXIST') {
      throw new AgentError('usage', `sessions export: ${path} already exists`);
    }
    throw new AgentError('storage_unwritable', `${path} cannot be written.`, { cause });
  }
}
