import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError, type PromptRecord, promptRecordSchema } from '@qwen/protocol';

/** A full file is followed by a new one. */
const MAX_FILE_BYTES = 512 * 1024;
const KEPT_FILES = 3;
/** Longer prompts are not stored. */
const MAX_TEXT_LENGTH = 384 * 1024;
const FILE_NAME = /^(\d{4,})\.jsonl$/;

/** Prompts of a project, across sessions and processes. */
export interface PromptHistory {
  /** Oldest first, without adjacent duplicates. Read once; includes later prompts of this process. Never rejects. */
  list(): Promise<readonly PromptRecord[]>;
  /** Prompts that begin with a blank are not stored. Rejects with `storage_unwritable`. */
  add(prompt: Omit<PromptRecord, 'at'>): Promise<void>;
}

/**
 * JSON Lines files in the project's data folder, readable only by the user. Each line is appended in a single write,
 * so that concurrent processes lose nothing.
 */
export class PromptHistoryFiles implements PromptHistory {
  readonly #folder: string;
  #read: Promise<PromptRecord[]> | undefined;

  /** `cwd` identifies the project; it is not part of a file name. */
  constructor({ configDir, cwd }: { readonly configDir: string; readonly cwd: string }) {
    this.#folder = join(configDir, 'prompts', createHash('sha256').update(cwd).digest('hex').slice(0, 32));
  }

  list(): Promise<readonly PromptRecord[]> {
    return this.#records();
  }

  async add({ text, folds }: Omit<PromptRecord, 'at'>): Promise<void> {
    if (/^\s/.test(text) || text.length > MAX_TEXT_LENGTH) return;
    const record: PromptRecord = { at: new Date().toISOString(), text, ...(folds && folds.length > 0 && { folds }) };
    const records = await this.#records();
    if (records.at(-1)?.text === text) return;
    records.push(record);
    await this.#append(record);
  }

  #records(): Promise<PromptRecord[]> {
    this.#read ??= this.#readAll();
    return this.#read;
  }

  async #readAll(): Promise<PromptRecord[]> {
    const records: PromptRecord[] = [];
    for (const number of (await this.#numbers()).slice(-KEPT_FILES)) {
      const text = await readFile(this.#pathOf(number), 'utf8').catch(() => '');
      for (const line of text.split('\n')) {
        const record = readRecord(line);
        if (record !== undefined && record.text !== records.at(-1)?.text) records.push(record);
      }
    }
    return records;
  }

  async #append(record: PromptRecord): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      const numbers = await this.#numbers();
      const latest = numbers.at(-1) ?? 1;
      const number = (await this.#isFull(latest)) ? latest + 1 : latest;
      // The leading line end separates this line from one that a crash truncated.
      await appendFile(this.#pathOf(number), `\n${JSON.stringify(record)}\n`, { mode: 0o600 });
      const old = numbers.filter((earlier) => earlier <= number - KEPT_FILES);
      for (const earlier of old) await rm(this.#pathOf(earlier), { force: true });
    } catch (cause) {
      throw new AgentError('storage_unwritable', `The prompt history cannot be written to ${this.#folder}.`, {
        cause,
      });
    }
  }

  async #numbers(): Promise<number[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const numbers = names.flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []).map(Number);
    return numbers.toSorted((one, other) => one - other);
  }

  async #isFull(number: number): Promise<boolean> {
    const size = await stat(this.#pathOf(number)).then(
      (found) => found.size,
      () => 0,
    );
    return size >= MAX_FILE_BYTES;
  }

  #pathOf(number: number): string {
    return join(this.#folder, `${String(number).padStart(4, '0')}.jsonl`);
  }
}

function readRecord(line: string): PromptRecord | undefined {
  if (line === '') return undefined;
  try {
    const read = promptRecordSchema.safeParse(JSON.parse(line));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
