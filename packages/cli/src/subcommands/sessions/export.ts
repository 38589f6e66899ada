import { open } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { EXPORT_FORMATS, type ExportFormat } from '@qwen/commands';
import { AgentError, systemCodeOf } from '@qwen/protocol';
import { readWords } from '../words/read-words.js';
import type { SessionsVerb } from './command.js';
import { findSession } from './find-session.js';
import { renderSession } from './render-session.js';
import { SESSIONS } from './spec.js';

export const exportSession: SessionsVerb = async ({ store, words, cwd, print }) => {
  const { flags, rest } = readWords(words, { command: 'sessions export', flags: SESSIONS.verbs.export.flags });
  const [word, file, ...more] = rest;
  if (word === undefined || more.length > 0) {
    throw new AgentError('usage', 'sessions: expected ID [FILE]; see qwen sessions help');
  }
  const sessionId = await findSession(store, word);
  const text = await renderSession(store, { sessionId, format: flags.format ?? formatOf(file) ?? 'md' });
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
