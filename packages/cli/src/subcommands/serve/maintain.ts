import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { AgentError, messageOf } from '@qwen/protocol';
import { runningServerSchema } from '@qwen/protocol/server';
import type { Subcommand, SubcommandOptions } from '../subcommand.js';
import { readWords } from '../words/read-words.js';
import { loadServer } from './load-server.js';
import { SERVE } from './spec.js';

/** An incomplete backup has no `backup.json`. */
export const runServeBackup: Subcommand = async ({ words, ...options }) => {
  const { flags, rest } = readWords(words, { command: 'serve backup', flags: SERVE.verbs.backup.flags });
  const folder = onlyFolder('backup', rest, options);
  const server = loadServer();
  try {
    await server.backupStore(toStore(flags.store, options), folder);
  } catch (thrown) {
    if (!AgentError.is(thrown) || thrown.code !== 'storage_busy') throw thrown;
    await askServer(folder, options);
  }
  const { sessions } = await server.checkBackup(folder);
  await options.print(`Backed up ${countOf(sessions)} to ${folder}.\n`);
  return 0;
};

export const runServeRestore: Subcommand = async ({ words, ...options }) => {
  const { flags, rest } = readWords(words, { command: 'serve restore', flags: SERVE.verbs.restore.flags });
  const folder = onlyFolder('restore', rest, options);
  const store = toStore(flags.store, options);
  const restored = await loadServer().restoreStore(store, folder, { replace: flags.replace === true });
  await options.print(`Restored ${countOf(restored.sessions)} of ${restored.created_at} to ${store}.\n`);
  return 0;
};

export const runServeMigrate: Subcommand = async ({ words, ...options }) => {
  const { flags } = readWords(words, { command: 'serve migrate', flags: SERVE.verbs.migrate.flags, onlyFlags: true });
  for (const { file, from, to } of await loadServer().migrateStore(toStore(flags.store, options))) {
    const step = from === undefined || from === 0 ? `created with schema ${to}` : `schema ${from} to ${to}`;
    await options.print(`${file}: ${from === to ? `schema ${to}, nothing to do` : step}\n`);
  }
  return 0;
};

type FolderSources = Pick<SubcommandOptions, 'environment' | 'cwd'>;

function serverFolder({ environment, cwd }: FolderSources): string {
  return join(findConfigDir(environment, cwd), 'server');
}

function toStore(flag: string | undefined, place: FolderSources): string {
  const store = flag ?? place.environment.QWEN_SERVER_STORE ?? serverFolder(place);
  if (!/^(?:memory:|\w+:\/\/)/.test(store)) return resolve(place.cwd, store);
  throw new AgentError(
    'usage',
    'serve: only a store in a folder can be backed up this way; back up Redis with its own tools',
  );
}

function onlyFolder(verb: string, [folder, ...more]: readonly string[], { cwd }: FolderSources): string {
  if (folder !== undefined && folder !== '' && more.length === 0) return resolve(cwd, folder);
  throw new AgentError('usage', `serve ${verb}: expected one folder`);
}

/** The server holds the only lock of the store, so it writes the copy. */
async function askServer(folder: string, place: FolderSources): Promise<void> {
  const path = join(serverFolder(place), 'server.json');
  const server = await readFile(path, 'utf8').then(
    (text) => runningServerSchema.parse(JSON.parse(text)),
    (thrown: unknown) => {
      const message = `A server is using the store, but ${path} does not contain its address.`;
      throw new AgentError('server_unreachable', message, { cause: thrown });
    },
  );
  const answer = await fetch(`${server.url}/api/v1/admin/backup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${server.token}` },
    body: JSON.stringify({ folder }),
  }).catch((thrown: unknown) => {
    throw new AgentError('server_unreachable', `Cannot reach the server at ${server.url}: ${messageOf(thrown)}`);
  });
  if (answer.ok) return;
  throw new AgentError('server_unreachable', `The server could not write the backup: ${await answer.text()}`);
}

function countOf(sessions: number): string {
  return sessions === 1 ? '1 session' : `${sessions} sessions`;
}
