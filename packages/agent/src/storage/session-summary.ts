import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { defined, type SessionRecord, sessionRecordSchema } from '@qwen/protocol';
import { isHookContext } from '../loop/hooks/hook-text.js';
import { parseObject } from './recover-objects.js';

export interface SessionSummary {
  readonly sessionId: string;
  readonly cwd: string;
  readonly createdAt: string;
  /** Epoch milliseconds. */
  readonly modifiedAtMs: number;
  readonly sizeBytes: number;
  readonly title?: string;
  readonly firstPrompt?: string;
  readonly forkedFrom?: string;
}

export interface SessionEntry {
  readonly path: string;
  readonly modifiedAtMs: number;
}

export const SESSION_SUFFIX = '.jsonl';
/** Fits a header and the start of a prompt. */
const HEAD_BYTES = 16 * 1024;
/** The last title is always this close to the end. */
export const TITLE_WINDOW_BYTES = 64 * 1024;
const FIRST_PROMPT_LENGTH = 200;
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

export function readEntry(path: string): SessionEntry | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : { path, modifiedAtMs: found.mtimeMs };
}

/** Undefined for an unreadable file or another folder. Synchronous: the thread pool would take five times as long. */
export function readSummary(entry: SessionEntry, wanted: { readonly cwd?: string } = {}): SessionSummary | undefined {
  let file: number | undefined;
  try {
    file = openSync(entry.path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const found = fstatSync(file);
    if (!found.isFile()) return undefined;
    const head = readPiece(file, 0, Math.min(HEAD_BYTES, found.size));
    const [first = '', ...rest] = head.split('\n');
    const header = parseRecord(first);
    if (header?.type !== 'session' || (wanted.cwd !== undefined && header.cwd !== wanted.cwd)) return undefined;
    const title = findTitle(file, found.size);
    const firstPrompt = findPrompt(rest);
    return {
      sessionId: basename(entry.path, SESSION_SUFFIX),
      cwd: header.cwd,
      createdAt: header.created_at,
      modifiedAtMs: entry.modifiedAtMs,
      sizeBytes: found.size,
      ...defined({ title, firstPrompt, forkedFrom: header.forked_from }),
    };
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function readPiece(file: number, from: number, length: number): string {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.toString('utf8', 0, readSync(file, buffer, 0, length, from));
}

function findTitle(file: number, size: number): string | undefined {
  const from = Math.max(0, size - TITLE_WINDOW_BYTES);
  const tail = readPiece(file, from, size - from);
  for (let at = tail.lastIndexOf('"type":"title"'); at >= 0; at = tail.lastIndexOf('"type":"title"', at - 1)) {
    const start = tail.lastIndexOf('\n', at) + 1;
    const end = tail.indexOf('\n', at);
    const record = parseRecord(tail.slice(start, end < 0 ? undefined : end));
    if (record?.type === 'title') return record.title;
    if (at === 0) break;
  }
  return undefined;
}

function findPrompt(lines: readonly string[]): string | undefined {
  const line = lines.find((text) => text.startsWith('{"type":"user"'));
  if (line === undefined) return undefined;
  const record = parseRecord(line);
  const text = record?.type === 'user' ? textOf(record.content) : textOfCutLine(line);
  const words = text.replaceAll(/\s+/g, ' ').trim();
  return words === '' ? undefined : words.slice(0, FIRST_PROMPT_LENGTH);
}

function textOf(content: Extract<SessionRecord, { readonly type: 'user' }>['content']): string {
  if (typeof content === 'string') return content;
  return content
    .flatMap((block) => (block.type === 'text' && !isHookContext(block.text) ? [block.text] : []))
    .join(' ');
}

function textOfCutLine(line: string): string {
  const [, escaped = ''] = /"(?:content|text)":"((?:[^"\\]|\\.){1,1000})/s.exec(line) ?? [];
  const [value] = parseList(`["${escaped}"]`);
  return typeof value === 'string' ? value : '';
}

function parseList(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

function parseRecord(line: string): SessionRecord | undefined {
  const parsed = sessionRecordSchema.safeParse(parseObject(line));
  return parsed.success ? parsed.data : undefined;
}
