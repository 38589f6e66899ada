import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { AgentError, messageOf, QWEN_VERSION, systemCodeOf } from '@qwen/protocol';
import * as z from 'zod/mini';
import { conversationFileOf } from '../agent/agent-folders.js';
import type { AgentLaunch } from '../agent/agent-process.js';
import type { EventLog } from '../log/event-log.js';
import { LAYOUT_VERSION as EVENTS_VERSION } from '../log/sqlite/schema.js';
import { openStores } from '../store/open-stores.js';
import type { SessionStore } from '../store/session-store.js';
import { LAYOUT_VERSION as SESSIONS_VERSION } from '../store/sqlite/schema.js';

/** Files of a store and of a backup, with the schema that this version supports. */
const DATABASES = { 'sessions.sqlite': SESSIONS_VERSION, 'events.sqlite': EVENTS_VERSION } as const;
const MANIFEST = 'backup.json';
const CONVERSATIONS = 'conversations';
const PAGE = 1000;

const manifestSchema = z.object({ version: z.string(), created_at: z.string(), sessions: z.number() });
export type BackupManifest = z.infer<typeof manifestSchema>;

export interface BackupParts {
  readonly store: SessionStore;
  readonly log: EventLog;
  readonly launch: AgentLaunch;
}

/**
 * Copies the sessions, their events and conversations to a folder that is new or empty, while the server runs. Does not
 * check the copies; see `checkBackup`. Errors: `usage`; those of the stores.
 */
export async function writeBackup(folder: string, { store, log, launch }: BackupParts): Promise<BackupManifest> {
  if (store.backup === undefined || log.backup === undefined) {
    throw new AgentError('usage', 'Only a store in a folder has backups. Back up Redis with its own tools.');
  }
  await mkdir(join(folder, CONVERSATIONS), { recursive: true, mode: 0o700 });
  const found = (await readdir(folder)).filter((name) => name !== CONVERSATIONS);
  if (found.length > 0) throw new AgentError('usage', `The folder ${folder} is not empty. Name a new one.`);
  await chmod(folder, 0o700);
  // Events that the sessions do not know of yet are harmless, unlike missing ones.
  await store.backup(join(folder, 'sessions.sqlite'));
  await log.backup(join(folder, 'events.sqlite'));
  const sessions = await copyConversations(folder, { store, launch });
  const manifest = { version: QWEN_VERSION, created_at: new Date().toISOString(), sessions };
  // Last: without it the backup is incomplete.
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest)}\n`, { mode: 0o600, flush: true });
  return manifest;
}

/** Backs up a store that no server uses. Errors: `storage_busy` if one does; those of `writeBackup`. */
export async function backupStore(place: string, folder: string, launch: AgentLaunch = {}): Promise<BackupManifest> {
  const { store, log } = await openFolder(place);
  try {
    return await writeBackup(folder, { store, log, launch });
  } finally {
    await log.close();
    await store.close();
  }
}

/** Reads all pages of the copies. Errors: `storage_damaged`, which names the file. */
export async function checkBackup(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((thrown: unknown) => {
    throw new AgentError('storage_damaged', `${folder} has no complete backup: ${messageOf(thrown)}`);
  });
  for (const [name, supported] of Object.entries(DATABASES)) await checkDatabase(join(folder, name), supported);
  const manifest = z.safeParse(manifestSchema, parseJson(text));
  if (manifest.success) return manifest.data;
  throw new AgentError('storage_damaged', `The file ${join(folder, MANIFEST)} is invalid.`);
}

/**
 * Replaces the content of a store that no server uses. With `replace`, keeps the previous files under other names.
 * Errors: `usage` for a store with content without `replace`; `storage_busy`; `storage_damaged`.
 */
export async function restoreStore(
  place: string,
  folder: string,
  { replace = false, launch = {} }: { readonly replace?: boolean; readonly launch?: AgentLaunch } = {},
): Promise<BackupManifest> {
  const manifest = await checkBackup(folder);
  const { store, log } = await openFolder(place);
  const isEmpty = (await store.count()) === 0;
  await log.close();
  await store.close();
  if (!isEmpty && !replace) {
    throw new AgentError(
      'usage',
      `The store ${place} has sessions. Pass --replace to replace them; their files are kept.`,
    );
  }
  const suffix = `replaced-${Date.now()}`;
  for (const name of Object.keys(DATABASES)) {
    const path = join(place, name);
    await copyFile(join(folder, name), `${path}.restored`);
    await chmod(`${path}.restored`, 0o600);
    if (isEmpty) await rm(path, { force: true });
    else await rename(path, `${path}.${suffix}`);
    for (const more of ['-wal', '-shm']) await rm(`${path}${more}`, { force: true });
    await rename(`${path}.restored`, path);
  }
  for (const name of await readdir(join(folder, CONVERSATIONS))) {
    const path = conversationFileOf(launch, name.replace(/\.jsonl$/, ''));
    await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
    await copyFile(join(folder, CONVERSATIONS, name), path);
    await chmod(path, 0o600);
  }
  return manifest;
}

export interface Migration {
  readonly file: string;
  /** Undefined if the file does not exist yet. */
  readonly from: number | undefined;
  readonly to: number;
}

/** Upgrades a store that no server uses, as its next start would. Errors: `storage_busy`, `storage_damaged`. */
export async function migrateStore(place: string): Promise<readonly Migration[]> {
  checkPlace(place);
  const before = await Promise.all(
    Object.entries(DATABASES).map(async ([file, to]) => ({ file, from: await versionOf(join(place, file)), to })),
  );
  const { store, log } = await openFolder(place);
  await log.close();
  await store.close();
  return before;
}

async function openFolder(place: string) {
  checkPlace(place);
  return openStores(place);
}

function checkPlace(place: string): void {
  if (isAbsolute(place)) return;
  throw new AgentError('usage', 'This works for a store in a folder. Redis has its own tools.');
}

async function copyConversations(folder: string, { store, launch }: Omit<BackupParts, 'log'>): Promise<number> {
  let count = 0;
  for (let afterId: string | undefined; ; ) {
    const { sessions, hasMore } = await store.list({ limit: PAGE, afterId });
    for (const { id } of sessions) {
      count += 1;
      const copy = join(folder, CONVERSATIONS, `${id}.jsonl`);
      await copyFile(conversationFileOf(launch, id), copy).catch((thrown: unknown) => {
        if (systemCodeOf(thrown) !== 'ENOENT') throw thrown;
      });
    }
    afterId = sessions.at(-1)?.id;
    if (!hasMore || afterId === undefined) return count;
  }
}

async function checkDatabase(path: string, supported: number): Promise<void> {
  // Other stores do not need it.
  const sqlite = await import('node:sqlite');
  let database: DatabaseSync | undefined;
  try {
    database = new sqlite.DatabaseSync(path, { readOnly: true });
    const result = database.prepare('PRAGMA integrity_check(1)').get();
    if (result?.['integrity_check'] !== 'ok') throw new Error(String(result?.['integrity_check']));
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version < 1 || version > supported)
      throw new Error(`schema ${version} is not supported, up to ${supported} is`);
  } catch (thrown) {
    throw new AgentError('storage_damaged', `The file ${path} is damaged: ${messageOf(thrown)}`);
  } finally {
    database?.close();
  }
}

/** From the header of the file, which needs no lock. */
async function versionOf(path: string): Promise<number | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  return bytes === undefined || bytes.length < 64 ? undefined : bytes.readUInt32BE(60);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
