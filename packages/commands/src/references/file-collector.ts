import { AgentError, type ContentBlock } from '@qwen/protocol';
import { type ReferencedFile, type ReferenceWarning, warningAbout } from './expanded-prompt.js';
import type { Meaning } from './find-meaning.js';
import type { FileContent, ReferenceFile, ReferenceSource, ReferenceWalk } from './reference-source.js';

/** Limits per prompt. `read_file` also returns at most 128 KiB of text. */
const MAX_FILES = 100;
const MAX_FILE_BYTES = 128 * 1024;
const MAX_TEXT_BYTES = 256 * 1024;
/** With less room, files are only named. */
const MIN_ROOM_BYTES = 1024;
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
/** Each folder or glob may scan the whole workspace. */
const MAX_WALKS = 20;

/** Collects file contents of one prompt, each file once, within the limits. */
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

  /** Rejects only on abort. */
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

export interface ShownFile {
  readonly name: string;
  /** `omitted`: no room left. */
  readonly content: FileContent | { readonly kind: 'omitted' };
}

/** Uses a longer fence than any in the file, so that a file cannot speak for the user. */
function toFileBlocks({ name, content }: ShownFile): ContentBlock[] {
  switch (content.kind) {
    case 'text': {
      if (content.text === '') return [toText(`${name} is empty.`)];
      const fence = '`'.repeat(Math.max(3, longestRun(content.text) + 1));
      const end = content.text.endsWith('\n') ? '' : '\n';
      const rest = content.isCut ? `\n[truncated; use read_file to see the rest of ${name}]` : '';
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
      return [toText(`${name} is a binary file (${content.bytes} bytes) and not shown.`)];
    case 'omitted':
      return [toText(`${name} is not shown: no room left. Use read_file to see it.`)];
  }
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function toText(text: string): ContentBlock {
  return { type: 'text', text };
}
