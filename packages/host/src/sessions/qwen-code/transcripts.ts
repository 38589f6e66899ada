import { closeSync, constants, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionSummary } from '@qwen/agent/node';
import { isJsonObject, type SessionRecord } from '@qwen/protocol';
import { type TranscriptLine, toRecords, transcriptLineSchema } from './to-records.js';

const SUFFIX = '.jsonl';
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Fits the first prompt, and the last title. */
const END_BYTES = 64 * 1024;
/** A longer file is not read at once. */
const MAX_BYTES = 512 * 1024 * 1024;
const FIRST_PROMPT_LENGTH = 200;

export interface TranscriptFile {
  readonly sessionId: string;
  readonly path: string;
  readonly modifiedAtMs: number;
}

/** The sessions of qwen-code: `projects/FOLDER/chats/ID.jsonl`. Never writes. */
export class Transcripts {
  readonly #folder: string;

  /** `projects` in the configuration folder. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Unordered. */
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

/** Reads both ends of the file. Undefined for an unreadable file or one of another folder. */
export function summarize(
  { path, sessionId, modifiedAtMs }: TranscriptFile,
  wanted: { readonly cwd?: string } = {},
): SessionSummary | undefined {
  return withFile(path, (fd, size) => {
    const head = linesOf(readPiece(fd, 0, Math.min(END_BYTES, size)));
    const [first] = head;
    if (first === undefined || (wanted.cwd !== undefined && first.cwd !== wanted.cwd)) return undefined;
    const from = Math.max(0, size - END_BYTES);
    const title = linesOf(readPiece(fd, from, size - from)).findLast(({ subtype }) => subtype === 'custom_title');
    const named = isJsonObject(title?.systemPayload) ? title.systemPayload['customTitle'] : undefined;
    const prompt = head
      .filter(({ type }) => type === 'user')
      .map(textOf)
      .find((text) => text !== '');
    return {
      sessionId,
      cwd: first.cwd,
      createdAt: first.timestamp,
      modifiedAtMs,
      sizeBytes: size,
      ...(typeof named === 'string' && { title: named }),
      ...(prompt !== undefined && { firstPrompt: prompt.slice(0, FIRST_PROMPT_LENGTH) }),
    };
  });
}

/** Skips lines that are not complete. Empty for an unreadable file. */
export function readTranscript({ path }: TranscriptFile): readonly SessionRecord[] {
  const text = withFile(path, (fd, size) => (size > MAX_BYTES ? '' : readPiece(fd, 0, size))) ?? '';
  return toRecords(linesOf(text));
}

function linesOf(text: string): TranscriptLine[] {
  return text.split('\n').flatMap((line) => {
    const parsed = transcriptLineSchema.safeParse(parse(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function textOf({ message }: TranscriptLine): string {
  const texts = (message?.parts ?? []).map((part) => (isJsonObject(part) ? part['text'] : undefined));
  return texts
    .filter((text) => typeof text === 'string')
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
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
function withFile<T>(path: string, read: (fd: number, size: number) => T): T | undefined {
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

function readPiece(fd: number, from: number, length: number): string {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, length, from));
}
