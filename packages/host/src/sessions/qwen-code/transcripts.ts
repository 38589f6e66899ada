import { readSync } from 'node:fs';
import type { SessionSummary } from '@qwen/agent/node';
import { AgentError, isJsonObject, parseJson, type SessionRecord } from '@qwen/protocol';
import { type TranscriptLine, toRecords, transcriptLineSchema } from './to-records.js';
import { type TranscriptFile, withFile } from './transcript-files.js';

/** Fits the first prompt, and the last title. */
const END_BYTES = 64 * 1024;
/** The first line may contain a long text or an image. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
/** A longer file is not read at once. */
const MAX_BYTES = 512 * 1024 * 1024;
const FIRST_PROMPT_LENGTH = 200;

/** Reads both ends of the file. Undefined for an unreadable file or one of another folder. */
export function summarize(
  { path, sessionId, modifiedAtMs }: TranscriptFile,
  wanted: { readonly cwd?: string } = {},
): SessionSummary | undefined {
  return withFile(path, (fd, size) => {
    const head = linesOf(readHead(fd, size));
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

/** Skips lines that are not complete. Throws `session_not_found` for an unreadable file. */
export function readTranscript(file: TranscriptFile): readonly SessionRecord[] {
  const text = withFile(file.path, (fd, size) => (size > MAX_BYTES ? undefined : readPiece(fd, 0, size)));
  if (text === undefined) throw unreadable(file);
  return toRecords(linesOf(text));
}

export function unreadable({ sessionId, path }: TranscriptFile): AgentError {
  const message = `The session ${sessionId} of qwen-code cannot be read: ${path}.`;
  return new AgentError('session_not_found', message, { data: { sessionId, path } });
}

function linesOf(text: string): TranscriptLine[] {
  return text.split('\n').flatMap((line) => {
    const parsed = transcriptLineSchema.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function textOf({ message }: TranscriptLine): string {
  const texts = (message?.parts ?? []).map((part) => (isJsonObject(part) ? part['text'] : undefined));
  return texts
    .filter((text) => typeof text === 'string')
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function readHead(fd: number, size: number): string {
  for (let length = END_BYTES; ; length *= 4) {
    const text = readPiece(fd, 0, Math.min(length, size));
    if (text.includes('\n') || length >= Math.min(size, MAX_LINE_BYTES)) return text;
  }
}

function readPiece(fd: number, from: number, length: number): string {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.toString('utf8', 0, readSync(fd, buffer, 0, length, from));
}
