import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileHistoryRecord, type FileState, fileHistoryRecordSchema, systemCodeOf } from '@qwen/protocol';

export interface Change {
  readonly id: string;
  readonly messageId: string;
  readonly path: string;
  readonly before: FileState;
  readonly newFolder?: string;
  /** Undefined until the change has ended. */
  after?: FileState;
}

/** The changes of a session in a file of JSON lines, readable by the user only. */
export class Journal {
  readonly changes: Change[] = [];
  readonly #folder: string;
  readonly #byId = new Map<string, Change>();
  #lacksLineFeed: boolean;

  private constructor(folder: string, text: string) {
    this.#folder = folder;
    this.#lacksLineFeed = text !== '' && !text.endsWith('\n');
    for (const line of text.split('\n')) this.#add(readLine(line));
  }

  /** Unreadable lines are skipped: a killed process may leave part of one. Rejects with the system error. */
  static async open(folder: string): Promise<Journal> {
    const text = await readFile(join(folder, 'changes.jsonl'), 'utf8').catch((thrown: unknown) => {
      if (systemCodeOf(thrown) === 'ENOENT') return '';
      throw thrown;
    });
    return new Journal(folder, text);
  }

  get hasChanges(): boolean {
    return this.changes.length > 0;
  }

  /** Rejects with the system error and then adds nothing. */
  async append(records: readonly FileHistoryRecord[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const text = this.#lacksLineFeed ? `\n${lines}` : lines;
    // A failed write may leave part of a line.
    this.#lacksLineFeed = true;
    await appendFile(join(this.#folder, 'changes.jsonl'), text, { mode: 0o600 });
    this.#lacksLineFeed = false;
    for (const record of records) this.#add(record);
  }

  #add(record: FileHistoryRecord | undefined): void {
    if (record?.type === 'before') {
      const { id, message_id: messageId, path, state: before, new_folder: newFolder } = record;
      const change = { id, messageId, path, before, ...(newFolder !== undefined && { newFolder }) };
      this.changes.push(change);
      this.#byId.set(id, change);
    } else if (record?.type === 'after') {
      const change = this.#byId.get(record.id);
      if (change !== undefined) change.after = record.state;
    }
  }
}

function readLine(line: string): FileHistoryRecord | undefined {
  try {
    return fileHistoryRecordSchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}
