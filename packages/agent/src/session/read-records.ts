import type { FileHandle } from 'node:fs/promises';
import { AgentError, SESSION_FILE_VERSION, type SessionRecord, sessionRecordSchema } from '@qwen/protocol';
import { parseObject, recoverObjects } from './recover-objects.js';

/** What a session file holds. */
export interface SessionFileContent {
  readonly records: readonly SessionRecord[];
  /** Bytes up to the end of the last whole line. */
  readonly length: number;
  /** What stands behind them and is no record: a line that was being written when its writer died. */
  readonly tornTail: Uint8Array | undefined;
  /** Whether the last line is whole but for its line feed. */
  readonly lacksLineFeed: boolean;
  /** Numbers of lines that could not be read whole, the first line being 1. */
  readonly damagedLines: readonly number[];
}

const CHUNK_BYTES = 1024 * 1024;
const LINE_FEED = 0x0a;
const KNOWN_TYPES: ReadonlySet<unknown> = new Set(['session', 'user', 'assistant', 'tool_result', 'turn_end']);

/**
 * Reads a session file and keeps every record that can be read, whatever stands between them. Records of kinds that
 * we do not know are left out silently. Throws `session_newer_version`, and system errors as they come.
 */
export async function readRecords(handle: FileHandle): Promise<SessionFileContent> {
  const reader = new RecordReader();
  let pending: Buffer[] = [];
  let offset = 0;
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, offset);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    let lineStart = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, lineStart)) {
      reader.addLine(Buffer.concat([...pending, chunk.subarray(lineStart, end)]));
      pending = [];
      lineStart = end + 1;
      length = offset + lineStart;
    }
    if (lineStart < bytesRead) pending.push(chunk.subarray(lineStart));
    offset += bytesRead;
  }
  const { records, damagedLines } = reader;
  const tail = Buffer.concat(pending);
  if (tail.length === 0) return { records, length, tornTail: undefined, lacksLineFeed: false, damagedLines };
  if (parseObject(tail.toString()) === undefined) {
    return { records, length, tornTail: tail, lacksLineFeed: false, damagedLines };
  }
  reader.addLine(tail);
  return { records, length: offset, tornTail: undefined, lacksLineFeed: true, damagedLines };
}

/** Turns lines into records. */
class RecordReader {
  readonly records: SessionRecord[] = [];
  readonly damagedLines: number[] = [];
  #lineNumber = 0;

  addLine(bytes: Buffer): void {
    this.#lineNumber += 1;
    const text = bytes.toString();
    if (text.trim() === '') return;
    const whole = parseObject(text);
    const isRead = (whole === undefined ? recoverObjects(text) : [whole]).map((value) => this.#add(value));
    if (whole === undefined || isRead.includes(false)) this.damagedLines.push(this.#lineNumber);
  }

  /** False for a record of a known kind that does not fit its schema. */
  #add(value: object): boolean {
    if ('type' in value && !KNOWN_TYPES.has(value.type)) return true;
    const parsed = sessionRecordSchema.safeParse(value);
    if (!parsed.success) return false;
    if (parsed.data.type === 'session') refuseNewer(parsed.data.version);
    this.records.push(parsed.data);
    return true;
  }
}

function refuseNewer(version: number): void {
  if (version <= SESSION_FILE_VERSION) return;
  const message = `The session has version ${version}; this program knows ${SESSION_FILE_VERSION}. Update it to go on.`;
  throw new AgentError('session_newer_version', message, { data: { version, known: SESSION_FILE_VERSION } });
}
