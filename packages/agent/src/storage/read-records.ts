import type { FileHandle } from 'node:fs/promises';
import { AgentError, SESSION_FILE_VERSION, type SessionRecord, sessionRecordSchema } from '@qwen/protocol';
import type { TitleRecord } from '../session/title.js';
import { readLines } from './read-lines.js';
import { parseObject, recoverObjects } from './recover-objects.js';

const KNOWN_TYPES: ReadonlySet<unknown> = new Set<SessionRecord['type']>([
  'session',
  'user',
  'assistant',
  'tool_result',
  'turn_end',
  'permission_mode',
  'title',
  'compaction',
  'cleared',
  'restored',
  'note',
  'client_call',
]);

/** Receives records one by one. Must not throw. */
export interface RecordSink {
  add(record: SessionRecord): void;
}

export interface SessionFileContent {
  readonly records: readonly SessionRecord[];
  readonly isEmpty: boolean;
  readonly title: TitleRecord | undefined;
  /** Up to the last complete line, in bytes. */
  readonly length: number;
  readonly tornTail: Uint8Array | undefined;
  readonly lacksLineFeed: boolean;
  /** Starting at 1. */
  readonly damagedLines: readonly number[];
}

/**
 * Keeps every readable record and skips unknown types. With a `sink`, none is kept. Throws `session_newer_version`
 * and system errors.
 */
export async function readRecords(handle: FileHandle, sink?: RecordSink): Promise<SessionFileContent> {
  const reader = new RecordReader(sink);
  let length = 0;
  for await (const { bytes, end, isWhole } of readLines(handle)) {
    const isTorn = !isWhole && parseObject(bytes.toString()) === undefined;
    if (isTorn) return { ...reader.found, length, tornTail: bytes, lacksLineFeed: false };
    reader.addLine(bytes);
    length = end;
    if (!isWhole) return { ...reader.found, length, tornTail: undefined, lacksLineFeed: true };
  }
  return { ...reader.found, length, tornTail: undefined, lacksLineFeed: false };
}

class RecordReader {
  readonly #sink: RecordSink | undefined;
  readonly #records: SessionRecord[] = [];
  readonly #damagedLines: number[] = [];
  #title: TitleRecord | undefined;
  #isEmpty = true;
  #lineNumber = 0;

  constructor(sink: RecordSink | undefined) {
    this.#sink = sink;
  }

  get found(): Pick<SessionFileContent, 'records' | 'damagedLines' | 'title' | 'isEmpty'> {
    return { records: this.#records, damagedLines: this.#damagedLines, title: this.#title, isEmpty: this.#isEmpty };
  }

  addLine(bytes: Buffer): void {
    this.#lineNumber += 1;
    const text = bytes.toString();
    if (text.trim() === '') return;
    const { records, isDamaged } = readLine(text);
    for (const record of records) {
      if (record.type === 'session') refuseNewer(record.version);
      if (record.type === 'title') this.#title = record;
      this.#isEmpty = false;
      if (this.#sink === undefined) this.#records.push(record);
      else this.#sink.add(record);
    }
    if (isDamaged) this.#damagedLines.push(this.#lineNumber);
  }
}

export function readLine(text: string): { readonly records: readonly SessionRecord[]; readonly isDamaged: boolean } {
  const whole = parseObject(text);
  const values = whole === undefined ? recoverObjects(text) : [whole];
  const records: SessionRecord[] = [];
  let isDamaged = whole === undefined;
  for (const value of values) {
    const parsed = sessionRecordSchema.safeParse(value);
    if (parsed.success) records.push(parsed.data);
    else isDamaged ||= isKnownKind(value);
  }
  return { records, isDamaged };
}

function isKnownKind(value: object): boolean {
  return !('type' in value) || KNOWN_TYPES.has(value.type);
}

/** Throws `session_newer_version`. */
export function refuseNewer(version: number): void {
  if (version <= SESSION_FILE_VERSION) return;
  const message = `The session has version ${version}; this program supports ${SESSION_FILE_VERSION}. Update the program to continue.`;
  throw new AgentError('session_newer_version', message, { data: { version, known: SESSION_FILE_VERSION } });
}
