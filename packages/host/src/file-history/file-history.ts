import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CallFacts, FileRewind, RewoundFile } from '@qwen/agent';
import { isInside } from '@qwen/agent/node';
import { AgentError, defined, type FileHistoryRecord } from '@qwen/protocol';
import { removeFile, replaceFile } from '@qwen/tools';
import type { Notice } from '../notice.js';
import { filesOfCommand } from './command-files.js';
import { CopyStore } from './copy-store.js';
import { type FoundFile, findFile, firstMissingFolder, isSameState } from './file-state.js';
import { Journal } from './journal.js';
import { type PlannedFile, planRewind, refusalOf } from './plan-rewind.js';
import { removeOldHistories } from './remove-old-histories.js';

/** In memory while a command runs. */
const MAX_COMMAND_BYTES = 32 * 1024 * 1024;
const MAX_SESSION_BYTES = 200 * 1024 * 1024;

export interface FileHistoryOptions {
  /** Absolute; of this session. Created with the first change. */
  readonly folder: string;
  /** Absolute; read on each use. */
  readonly roots: readonly string[];
  /** All user messages of the session in order; grows. */
  readonly messageIds: readonly string[];
  readonly announce: (notice: Notice) => void;
  readonly maxBytes?: number;
}

/** Keeps the files that tools change. One process uses a folder at a time: the one that has the session open. */
export class FileHistory {
  readonly #options: FileHistoryOptions;
  readonly #copies: CopyStore;
  #journal: Promise<Journal> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: FileHistoryOptions) {
    const { folder, maxBytes = MAX_SESSION_BYTES } = options;
    this.#options = options;
    this.#copies = new CopyStore(join(folder, 'copies'), maxBytes);
  }

  /** Never rejects; nor does the result, which records what the call did. */
  beforeCall(facts: Pick<CallFacts, 'paths' | 'shell'>): Promise<() => Promise<void>> {
    return facts.shell === undefined ? this.#beforeEdit(facts) : this.#beforeCommand(facts);
  }

  async #beforeEdit({ paths }: Pick<CallFacts, 'paths'>): Promise<() => Promise<void>> {
    const messageId = this.#options.messageIds.at(-1) ?? '';
    const written = [...new Set(paths.filter(({ access }) => access === 'write').map(({ realPath }) => realPath))];
    const started = new Map<string, string>();
    for (const path of written) {
      await this.#guarded(path, async (journal) => {
        const id = crypto.randomUUID();
        await journal.append([await this.#keep({ id, path, messageId })]);
        started.set(path, id);
      });
    }
    return async () => {
      for (const [path, id] of started) {
        await this.#guarded(path, async (journal) => {
          await journal.append([{ type: 'after', id, state: (await findFile(path)).state }]);
        });
      }
    };
  }

  /** Only files that changed are recorded: most names of a command are no files, or are only read. */
  async #beforeCommand(facts: Pick<CallFacts, 'shell'>): Promise<() => Promise<void>> {
    const messageId = this.#options.messageIds.at(-1) ?? '';
    const before = new Map<string, { readonly found: FoundFile; readonly newFolder: string | undefined }>();
    let bytes = 0;
    for (const path of await filesOfCommand(facts)) {
      if ((await refusalOf(path, this.#options.roots).catch(() => 'unknown')) !== undefined) continue;
      const found = await findFile(path);
      bytes += found.bytes?.length ?? 0;
      if (bytes > MAX_COMMAND_BYTES) break;
      if (found.state.kind === 'unkept') continue;
      before.set(path, {
        found,
        newFolder: found.state.kind === 'missing' ? await firstMissingFolder(path) : undefined,
      });
    }
    return async () => {
      for (const [path, { found, newFolder }] of before) {
        const after = (await findFile(path)).state;
        if (after.kind === 'unkept' || isSameState(found.state, after)) continue;
        await this.#guarded(path, async (journal) => {
          const { state } = found;
          if (state.kind === 'file' && found.bytes !== undefined) await this.#copies.keep(state.hash, found.bytes);
          const id = crypto.randomUUID();
          const at = new Date().toISOString();
          const change = { type: 'before', id, at, message_id: messageId, path, state } as const;
          const record = newFolder === undefined ? change : { ...change, new_folder: newFolder };
          await journal.append([record, { type: 'after', id, state: after }]);
        });
      }
    };
  }

  async preview(messageId: string): Promise<FileRewind> {
    return toRewind(await this.#inOrder((journal) => this.#plan(messageId, journal)));
  }

  /**
   * Records what it will do before the first change, so that a killed process leaves nothing unknown. Files that
   * others changed are replaced too, but their copies are reported.
   */
  restore(messageId: string): Promise<FileRewind> {
    return this.#inOrder(async (journal) => {
      const files = await this.#plan(messageId, journal);
      const wanted = files.filter(({ refused }) => refused === undefined);
      const records: FileHistoryRecord[] = [];
      const ids = new Map<string, string>();
      for (const { path, found, target } of wanted) {
        const id = crypto.randomUUID();
        ids.set(path, id);
        if (found.state.kind === 'file' && found.bytes !== undefined) {
          await this.#copies.keep(found.state.hash, found.bytes);
        }
        const message_id = this.#options.messageIds.at(-1) ?? '';
        const at = new Date().toISOString();
        records.push({ type: 'before', id, at, message_id, path, state: found.state });
        records.push({ type: 'after', id, state: target });
      }
      if (records.length > 0) await journal.append(records);
      const done: PlannedFile[] = [];
      const failures: FileHistoryRecord[] = [];
      for (const file of files) {
        const id = ids.get(file.path);
        const after = id === undefined ? file : await this.#apply(file);
        done.push(after);
        if (id !== undefined && after.refused !== undefined) {
          failures.push({ type: 'after', id, state: (await findFile(file.path)).state });
        }
      }
      if (failures.length > 0) await journal.append(failures);
      return toRewind(done);
    });
  }

  #plan(messageId: string, { changes }: Journal): Promise<readonly PlannedFile[]> {
    const { messageIds, roots } = this.#options;
    return planRewind(messageId, { changes, messageIds, roots, copies: this.#copies });
  }

  async #keep({ id, path, messageId }: { readonly id: string; readonly path: string; readonly messageId: string }) {
    const reason = await refusalOf(path, this.#options.roots);
    const { state, bytes } =
      reason === undefined ? await findFile(path) : { state: { kind: 'unkept', reason } as const };
    if (state.kind === 'file' && bytes !== undefined) await this.#copies.keep(state.hash, bytes);
    const newFolder = state.kind === 'missing' ? await firstMissingFolder(path) : undefined;
    const at = new Date().toISOString();
    return {
      type: 'before',
      id,
      at,
      message_id: messageId,
      path,
      state,
      ...defined({ new_folder: newFolder }),
    } as const;
  }

  async #apply(file: PlannedFile): Promise<PlannedFile> {
    const { path, target, bytes, found, newFolder, changedSince } = file;
    const { previous } = found;
    try {
      if (target.kind === 'file' && bytes !== undefined) {
        await replaceFile({ realPath: path, bytes, previous, mode: target.mode });
      } else if (previous !== undefined) {
        await removeFile(path, previous);
        if (newFolder !== undefined) await removeEmptyFolders(dirname(path), newFolder);
      }
    } catch (thrown) {
      return { ...file, insertions: 0, deletions: 0, refused: AgentError.from(thrown).message };
    }
    const isCopied = changedSince === true && found.state.kind === 'file';
    return isCopied && found.state.kind === 'file' ? { ...file, copy: this.#copies.pathOf(found.state.hash) } : file;
  }

  async #guarded(path: string, work: (journal: Journal) => Promise<void>): Promise<void> {
    try {
      await this.#inOrder(work);
    } catch (thrown) {
      const message = `No copy of ${path} was kept, so /rewind cannot restore it: ${AgentError.from(thrown).message}`;
      this.#options.announce({ code: 'file_not_kept', message, data: { path } });
    }
  }

  /** Calls run in parallel, but the journal has one writer. */
  #inOrder<Result>(work: (journal: Journal) => Promise<Result>): Promise<Result> {
    this.#journal ??= this.#open();
    const journal = this.#journal;
    const running = this.#last.then(async () => work(await journal));
    this.#last = running.catch(() => undefined);
    return running;
  }

  async #open(): Promise<Journal> {
    const { folder } = this.#options;
    const journal = await Journal.open(folder);
    // Housekeeping: no one waits for it.
    void removeOldHistories(dirname(folder), folder).catch(() => undefined);
    return journal;
  }
}

/** `last` is the outermost one. Stops at a folder that is not empty. */
async function removeEmptyFolders(folder: string, last: string): Promise<void> {
  for (let next = folder; isInside(next, last); next = dirname(next)) {
    const isRemoved = await rmdir(next).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}

function toRewind(files: readonly PlannedFile[]): FileRewind {
  return {
    files: files.map(
      ({ path, action, changedSince, copy, refused, diff }): RewoundFile => ({
        path,
        action,
        ...defined({ changedSince, copy, refused, diff }),
      }),
    ),
    insertions: files.reduce((sum, { insertions }) => sum + insertions, 0),
    deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
  };
}
