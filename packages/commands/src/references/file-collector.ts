import { AgentError, type ContentBlock } from '@qwen/protocol';
import type { ReferencedFile, ReferenceWarning } from './expanded-prompt.js';
import { type ShownFile, toFileBlocks } from './file-block.js';
import type { Meaning } from './find-meaning.js';
import type { FileContent, ReferenceFile, ReferenceSource, ReferenceWalk } from './reference-source.js';
import { warningAbout } from './reference-warnings.js';

/** How much one prompt brings along (GAP-29). A text of 128 KiB is what `read_file` shows at once. */
const MAX_FILES = 100;
const MAX_FILE_BYTES = 128 * 1024;
const MAX_TEXT_BYTES = 256 * 1024;
/** With less room a file is only named. */
const MIN_ROOM_BYTES = 1024;
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Folders and globs; each may look at all of the workspace. */
const MAX_WALKS = 20;

/** Gathers the contents of the files of one prompt, each file once, within the limits. */
export class FileCollector {
  readonly #source: ReferenceSource;
  readonly #signal: AbortSignal;
  readonly #seen = new Set<string>();
  readonly #blocks: ContentBlock[] = [];
  readonly #files: ReferencedFile[] = [];
  readonly #warnings: ReferenceWarning[] = [];
  #textBytesLeft = MAX_TEXT_BYTES;
  #imageBytesLeft = MAX_IMAGE_BYTES;
  #walksLeft = MAX_WALKS;

  constructor(options: { readonly source: ReferenceSource; readonly signal: AbortSignal }) {
    this.#source = options.source;
    this.#signal = options.signal;
  }

  get blocks(): readonly ContentBlock[] {
    return this.#blocks;
  }

  get files(): readonly ReferencedFile[] {
    return this.#files;
  }

  get warnings(): readonly ReferenceWarning[] {
    return this.#warnings;
  }

  warn(...warning: Parameters<typeof warningAbout>): void {
    this.#warnings.push(warningAbout(...warning));
  }

  /** Adds what a reference means. Rejects on abort only. */
  async add(original: string, { path, sighting, isSure }: Meaning): Promise<void> {
    switch (sighting.kind) {
      case 'missing':
        if (isSure) this.warn('missing', original, path);
        return;
      case 'refused':
        return this.warn(sighting.reason, original, path);
      case 'file':
        return this.#addFile(original, sighting.file);
      case 'folder':
        return this.#addAll(original, (walk) => this.#source.filesBelow(path, walk));
      case 'glob':
        return this.#addAll(original, (walk) => this.#source.filesLike(path, walk), isSure);
    }
  }

  async #addAll(original: string, list: (walk: ReferenceWalk) => AsyncIterable<ReferenceFile>, isSure = true) {
    if (this.#walksLeft === 0) return this.warn('too_many_references', original, original);
    this.#walksLeft -= 1;
    let found = 0;
    const onCut = () => this.warn('too_many_files', original, original);
    for await (const file of list({ signal: this.#signal, onCut })) {
      found += 1;
      if (this.#seen.has(file.realPath)) continue;
      if (this.#files.length >= MAX_FILES) {
        onCut();
        break;
      }
      await this.#addFile(original, file);
    }
    this.#signal.throwIfAborted();
    if (found === 0 && isSure) this.warn('empty', original, original);
  }

  async #addFile(original: string, file: ReferenceFile): Promise<void> {
    this.#signal.throwIfAborted();
    if (this.#seen.has(file.realPath)) return;
    if (this.#files.length >= MAX_FILES) return this.warn('too_many_files', original, original);
    this.#seen.add(file.realPath);
    const content = await this.#read(original, file);
    if (content === undefined) return;
    if (content.kind === 'omitted') this.warn('no_room', original, file.name);
    if (content.kind === 'text' && content.isCut) this.warn('cut', original, file.name);
    const bytes = content.kind === 'omitted' ? 0 : content.bytes;
    this.#blocks.push(...toFileBlocks({ name: file.name, content }));
    this.#files.push({ original, path: file.name, kind: content.kind, bytes });
  }

  /** Undefined when it cannot be read. */
  async #read(original: string, file: ReferenceFile): Promise<ShownFile['content'] | undefined> {
    if (this.#textBytesLeft < MIN_ROOM_BYTES) return { kind: 'omitted' };
    const maxBytes = Math.min(MAX_FILE_BYTES, this.#textBytesLeft);
    let content: FileContent;
    try {
      content = await this.#source.read(file, { maxBytes, signal: this.#signal });
    } catch (error) {
      this.#signal.throwIfAborted();
      this.#warnings.push({ code: 'unreadable', original, message: AgentError.from(error).message });
      return undefined;
    }
    if (content.kind === 'text') this.#textBytesLeft -= content.bytes;
    if (content.kind === 'image') {
      if (content.bytes > this.#imageBytesLeft) return { kind: 'omitted' };
      this.#imageBytesLeft -= content.bytes;
    }
    return content;
  }
}
