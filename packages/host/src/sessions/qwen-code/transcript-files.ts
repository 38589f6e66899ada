import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const SUFFIX = '.jsonl';
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface TranscriptFile {
  readonly sessionId: string;
  readonly path: string;
  readonly modifiedAtMs: number;
}

/** Reads `projects/FOLDER/chats/ID.jsonl`. Never writes. */
export class Transcripts {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  list(): readonly TranscriptFile[] {
    return this.#chatFolders().flatMap((chats) =>
      namesIn(chats)
        .filter((name) => name.endsWith(SUFFIX) && ID.test(name.slice(0, -SUFFIX.length)))
        .flatMap((name) => toFile(join(chats, name), name.slice(0, -SUFFIX.length)) ?? []),
    );
  }

  find(sessionId: string): TranscriptFile | undefined {
    if (!ID.test(sessionId)) return undefined;
    return this.#chatFolders()
      .map((chats) => join(chats, `${sessionId}${SUFFIX}`))
      .flatMap((path) => (existsSync(path) ? (toFile(path, sessionId) ?? []) : []))[0];
  }

  #chatFolders(): readonly string[] {
    return namesIn(this.#folder).map((name) => join(this.#folder, name, 'chats'));
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function toFile(path: string, sessionId: string): TranscriptFile | undefined {
  return withFile(path, (fd) => ({ path, sessionId, modifiedAtMs: fstatSync(fd).mtimeMs }));
}

/** Only regular files of this user; does not follow links or wait for pipes. */
export function withFile<T>(path: string, read: (fd: number, size: number) => T): T | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(fd);
    const isOwn = process.geteuid === undefined || found.uid === process.geteuid();
    return found.isFile() && isOwn ? read(fd, found.size) : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
