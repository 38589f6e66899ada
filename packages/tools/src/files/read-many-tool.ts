import type { Tool, ToolContext } from '@qwen/agent';
import { AgentError, type ToolResultOf } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool, type StructuredToolResult } from '../define-tool.js';
import { type FoundFile, findFiles, placesOf } from '../search/find-files.js';
import { compileFileFilter } from '../search/glob-pattern.js';
import { openFile } from './anchored-open.js';
import { stampWith, unsavedText } from './editor-files.js';
import type { FileLedger } from './file-ledger.js';
import { windowOfText } from './line-window.js';
import { decodeText } from './text-encoding.js';

const MAX_PATHS = 100;
const MAX_FILES = 200;
/** All files together. */
const MAX_TOTAL_BYTES = 256 * 1024;
const MAX_FILE_BYTES = 64 * 1024;
/** Stop when less than this is left. */
const MIN_FILE_BYTES = 1024;
const MAX_LINES = 2000;
const MAX_OPENED_BYTES = 4 * 1024 * 1024;

export const readManyInput = z.lazy(() =>
  z.object({
    paths: z
      .array(z.string().check(z.minLength(1)))
      .check(z.minLength(1), z.maxLength(MAX_PATHS), z.describe('Files, folders, globs.')),
    exclude: z.optional(z.array(z.string()).check(z.describe('Globs.'))),
  }),
);
type ReadManyInput = z.output<typeof readManyInput>;

/** `{ path: "a.ts" }` */
function namedPath(item: unknown): unknown {
  const [[name, path] = [], ...others] = typeof item === 'object' && item !== null ? Object.entries(item) : [];
  return (name === 'path' || name === 'file_path') && typeof path === 'string' && others.length === 0 ? path : item;
}

export function readManyTool(ledger: FileLedger): Tool<ReadManyInput> {
  return defineTool({
    name: 'read_many_files',
    description: 'Read many text files at once, up to a size limit. Files ignored by git are omitted.',
    input: readManyInput,
    adapt: ({ paths, ...others }) => ({ ...others, paths: Array.isArray(paths) ? paths.map(namedPath) : paths }),
    paths: ({ paths }, cwd) => paths.flatMap((path) => placesOf(path, cwd)).map((path) => ({ path, access: 'read' })),
    async execute({ paths, exclude = [] }, context) {
      const unwanted = exclude.map(compileFileFilter);
      const pages = new Pages();
      const seen = new Set<string>();
      for (const path of paths) {
        for await (const file of findFiles(path, { context, onNote: (note) => pages.note(note) })) {
          if (seen.has(file.realPath) || (!file.isNamed && unwanted.some((matches) => matches(file.names)))) continue;
          seen.add(file.realPath);
          if (pages.isFull) return pages.toResult();
          await addFile(file, { pages, ledger, context });
        }
        context.signal.throwIfAborted();
      }
      return pages.toResult();
    },
  });
}

interface Reading {
  readonly pages: Pages;
  readonly ledger: FileLedger;
  readonly context: ToolContext;
}

async function addFile(found: FoundFile, { pages, ledger, context }: Reading): Promise<void> {
  const { realPath, shown, isNamed } = found;
  if (context.isHidden?.(realPath) === true) {
    if (isNamed) pages.note(`${shown}: a rule denies reading it`);
    return;
  }
  // A named file was approved; one that a glob matched was not.
  if (!isNamed && context.isGuarded?.(realPath) === true) {
    pages.note(`${shown}: it may contain secrets; name it explicitly to read it`);
    return;
  }
  try {
    await using file = await openFile(realPath);
    if (file.stats.size > MAX_OPENED_BYTES) {
      pages.note(`${shown}: too large (${file.stats.size} bytes); read it in parts`);
      return;
    }
    const decoded = decodeText(await file.handle.readFile());
    if (decoded === undefined) {
      pages.skipBinary(found);
      return;
    }
    const unsaved = await unsavedText(ledger.editor, realPath, file);
    pages.add(found, unsaved ?? decoded.text);
    if (unsaved !== undefined) pages.note(`${shown}: with changes in the editor that are not saved`);
    ledger.remember(realPath, stampWith(file.stamp, unsaved));
  } catch (error) {
    pages.note(`${shown}: ${AgentError.from(error, 'tool_failed').message}`);
  }
}

class Pages {
  readonly #pages: string[] = [];
  readonly #notes: string[] = [];
  readonly #files: ToolResultOf<'read_many_files'>['files'] = [];
  #bytesLeft = MAX_TOTAL_BYTES;
  #binaries = 0;

  get isFull(): boolean {
    const isFull = this.#bytesLeft < MIN_FILE_BYTES || this.#pages.length === MAX_FILES;
    if (isFull) this.note(`truncated: ${this.#pages.length} files are shown, more exist`);
    return isFull;
  }

  add({ shown, path }: FoundFile, text: string): void {
    const maxBytes = Math.min(MAX_FILE_BYTES, this.#bytesLeft);
    const window = windowOfText(text, { offset: 0, limit: MAX_LINES, maxBytes });
    const more = window.hasMore ? `\n[continues; use read_file with offset ${window.count + 1}]` : '';
    this.#bytesLeft -= Buffer.byteLength(window.text);
    const body = text === '' ? '[the file is empty]' : `${window.text.trimEnd()}${more}`;
    this.#pages.push(`--- ${shown} ---\n${body}`);
    this.#files.push({
      filePath: path,
      content: window.text,
      numLines: window.count,
      truncated: window.hasMore,
    });
  }

  note(note: string): void {
    this.#notes.push(note);
  }

  skipBinary({ shown, isNamed }: FoundFile): void {
    if (isNamed) this.note(`${shown}: not a text file; use read_file for images`);
    else this.#binaries += 1;
  }

  toResult(): StructuredToolResult<'read_many_files'> {
    const { length } = this.#pages;
    const binaries = this.#binaries === 0 ? [] : [`${this.#binaries} binary files are omitted`];
    const allNotes = [...this.#notes, ...binaries];
    const notes = allNotes.map((note) => `[${note}]`).join('\n');
    const structured = { files: this.#files, notes: allNotes };
    if (length === 0) {
      return { content: ['No files were read.', notes].filter(Boolean).join('\n'), isError: true, structured };
    }
    return { content: [...this.#pages, notes].filter(Boolean).join('\n\n'), structured };
  }
}
