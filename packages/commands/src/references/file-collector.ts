import { AgentError, type ContentBlock } from '@qwen/protocol';
import { type ReferencedFile, type ReferenceWarning, warningAbout } from './expanded-prompt.js';
import type { Meaning } from './find-meaning.js';
import type { FileContent, ReferenceFile, ReferenceSource, ReferenceWalk } from './reference-source.js';

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

/** A file and what to say about it. */
export interface ShownFile {
  /** As people read it. */
  readonly name: string;
  /** `omitted`: there was no room for it. */
  readonly content: FileContent | { readonly kind: 'omitted' };
}

/** Stands before the first file, so that the model can tell them from what the user wrote. */
export const FILES_HEADING = 'The files that the message above refers to:';

/**
 * A file as the model reads it: its name, then its text between fences longer than any in it, so that no file can end
 * its own block and speak for the user.
 */
export function toFileBlocks({ name, content }: ShownFile): ContentBlock[] {
  switch (content.kind) {
    case 'text': {
      if (content.text === '') return [toText(`${name} is empty.`)];
      const fence = '`'.repeat(Math.max(3, longestRun(content.text) + 1));
      const end = content.text.endsWith('\n') ? '' : '\n';
      const rest = content.isCut ? `\n[more follows in ${name}; read_file shows it]` : '';
      return [toText(`${name}:\n${fence}\n${content.text}${end}${fence}${rest}`)];
    }
    case 'image': {
      const { mediaType, data } = content;
      return [
        toText(`${name} (${mediaType}):`),
        { type: 'image', source: { type: 'base64', media_type: mediaType, data } },
      ];
    }
    case 'binary':
      return [toText(`${name} is a binary file of ${content.bytes} bytes; it is not shown.`)];
    case 'omitted':
      return [toText(`${name} is not shown: there was no room left for it. read_file shows it.`)];
  }
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function toText(text: string): ContentBlock {
  return { type: 'text', text };
}
