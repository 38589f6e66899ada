import { stat } from 'node:fs/promises';
import type { Tool } from '@qwen/agent';
import { AgentError, escapeHidden, repairJson, type ToolResultOf } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool, type StructuredToolResult } from '../define-tool.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { type OpenFile, openFile } from './anchored-open.js';
import { stampWith, unsavedText } from './editor-files.js';
import { toFileError } from './file-error.js';
import type { FileLedger } from './file-ledger.js';
import { type FileView, SIGNATURE_BYTES, viewFile } from './file-view.js';
import { type LineWindow, windowOfText } from './line-window.js';
import { notebookText } from './notebook-text.js';
import { isPdf, pdfText } from './pdf-text.js';

const DEFAULT_LINES = 2000;
const MAX_WINDOW_BYTES = 128 * 1024;

export const readInput = z.lazy(() =>
  z.object({
    file_path: z.string().check(z.minLength(1)),
    offset: z.optional(z.int().check(z.gte(0), z.describe('First line, counted from 1.'))),
    limit: z.optional(z.int().check(z.gte(1), z.describe(`Number of lines. Default ${DEFAULT_LINES}.`))),
    line_numbers: z.optional(z.boolean().check(z.describe('Whether a number and a tab precede each line.'))),
  }),
);

export interface ReadToolOptions {
  /** Default true. */
  readonly lineNumbers?: boolean;
}

export function readTool(
  ledger: FileLedger,
  { lineNumbers = true }: ReadToolOptions = {},
): Tool<z.output<typeof readInput>> {
  return defineTool({
    name: 'read_file',
    description:
      'Read a text file, an image, a PDF or a notebook. Read long files in parts with offset and limit. ' +
      'Line numbers are not part of the file.',
    input: readInput,
    adapt: withRange,
    paths: ({ file_path }, cwd) => [{ path: toAbsolutePath(file_path, cwd), access: 'read' }],
    async preview({ file_path }, context) {
      const path = toAbsolutePath(file_path, context.cwd);
      const stats = await stat(await realPathFor(path, context)).catch((error: unknown) => {
        throw toFileError(error, 'read', path);
      });
      if (stats.isDirectory())
        throw new AgentError('tool_failed', `${escapeHidden(path)} is a directory. Use list_directory.`);
      return undefined;
    },
    async execute({ file_path, offset: first = 1, limit = DEFAULT_LINES, line_numbers: isNumbered }, context) {
      const path = toAbsolutePath(file_path, context.cwd);
      const realPath = await realPathFor(path, context);
      try {
        await using file = await openFile(realPath);
        const unsaved = await unsavedText(ledger.editor, realPath, file);
        const result = await readOpenFile(file, {
          path,
          offset: Math.max(first - 1, 0),
          limit,
          isNumbered: isNumbered ?? lineNumbers,
          signal: context.signal,
          unsaved,
        });
        ledger.remember(realPath, stampWith(file.stamp, unsaved));
        return result;
      } catch (error) {
        throw toFileError(error, 'read', path);
      }
    },
  });
}

/** Larger ones are read as other files. */
const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;

interface DocumentText {
  readonly text: string;
  readonly note: string;
}

/** A notebook or a PDF as text. */
async function readDocument({ handle, stats }: OpenFile, options: ReadOptions): Promise<DocumentText | undefined> {
  const size = Number(stats.size);
  const head = Buffer.alloc(Math.min(size, SIGNATURE_BYTES));
  await handle.read(head, 0, head.length, 0);
  const isNotebook = options.path.toLowerCase().endsWith('.ipynb');
  if (size > MAX_DOCUMENT_BYTES || !(isNotebook || isPdf(head))) return undefined;
  const data = Buffer.alloc(size);
  // Not from the position of the handle, where another reader may follow.
  await handle.read(data, 0, size, 0);
  if (isPdf(head)) {
    return {
      text: await pdfText(new Uint8Array(data), options.signal),
      note: 'a PDF, shown as text without its layout',
    };
  }
  const text = notebookText(data.toString());
  return text === undefined ? undefined : { text, note: 'a notebook, shown as text; the file is JSON' };
}

/** `end_line` and `view_range`, which other programs have. */
const END_LINE = /^(?:end_?line|line_?end|to_?line|end)(?:_one_indexed(?:_inclusive)?)?$/i;

function withRange(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { view_range: given, command: _view, ...all } = input;
  const range: unknown = typeof given === 'string' ? repairJson(given) : given;
  const [endName, endLine] = Object.entries(all).find(([name]) => END_LINE.test(name)) ?? [];
  const others = Object.fromEntries(Object.entries(all).filter(([name]) => name !== endName));
  const [from, to] = Array.isArray(range) ? range : [others['offset'], endLine];
  const [first, last] = [Number(from ?? 1), Number(to)];
  if (!Number.isInteger(first) || first < 1 || 'limit' in others) return input;
  if (Array.isArray(range) && last === -1) return { ...others, offset: first };
  return Number.isInteger(last) && last >= first ? { ...others, offset: first, limit: last - first + 1 } : input;
}

interface ReadOptions {
  readonly path: string;
  /** Counted from 0. */
  readonly offset: number;
  readonly limit: number;
  readonly isNumbered: boolean;
  readonly signal: AbortSignal;
  /** The text in the editor. */
  readonly unsaved: string | undefined;
}

type ReadResult = StructuredToolResult<'read_file'>;

async function readOpenFile(file: OpenFile, options: ReadOptions): Promise<ReadResult> {
  if (options.unsaved !== undefined) {
    const window = windowOfText(options.unsaved, { ...options, maxBytes: MAX_WINDOW_BYTES });
    const content = `${toText(window, options)}\n[with changes in the editor that are not saved]`;
    return { content, structured: toStructured(window, options) };
  }
  const document = await readDocument(file, options);
  if (document !== undefined) {
    const window = windowOfText(document.text, { ...options, maxBytes: MAX_WINDOW_BYTES });
    const text = toText(window, { ...options, isNumbered: false });
    return { content: `${text}\n[${document.note}]`, structured: toStructured(window, options) };
  }
  const view = await viewFile(file, { ...options, maxBytes: MAX_WINDOW_BYTES });
  if (view.kind === 'binary') throw notText(options.path, view.bytes);
  if (view.kind === 'image') return toImage(view, options);
  const text = toText(view.window, options);
  return {
    content: view.isLossy ? `${text}\n[not valid UTF-8: some bytes are shown as �]` : text,
    structured: toStructured(view.window, options),
  };
}

function toText({ text, count, hasMore }: LineWindow, { offset, isNumbered }: ReadOptions): string {
  if (count === 0) return offset === 0 ? '[the file is empty]' : `[the file has no line ${offset + 1}]`;
  const shown = isNumbered ? withNumbers(text, offset + 1) : text;
  if (!hasMore) return shown;
  const next = offset + count + 1;
  return `${shown}\n[lines ${offset + 1} to ${next - 1}; more follow, continue with offset ${next}]`;
}

function toStructured({ text, count, hasMore }: LineWindow, { path, offset }: ReadOptions): ToolResultOf<'read_file'> {
  // Past the end, the number of lines is unknown.
  const isKnown = !hasMore && (count > 0 || offset === 0);
  return {
    type: 'text',
    file: {
      filePath: path,
      content: text,
      numLines: count,
      startLine: offset + 1,
      ...(isKnown && { totalLines: offset + count }),
    },
  };
}

function withNumbers(text: string, first: number): string {
  const end = text.endsWith('\n') ? '\n' : '';
  const lines = text.slice(0, text.length - end.length).split('\n');
  return lines.map((line, index) => `${first + index}\t${line}`).join('\n') + end;
}

function toImage({ mediaType, data }: Extract<FileView, { kind: 'image' }>, { path }: ReadOptions): ReadResult {
  return {
    content: [{ type: 'image', source: { type: 'base64', media_type: mediaType, data: data.toString('base64') } }],
    structured: { type: 'image', file: { filePath: path, type: mediaType, originalSize: data.length } },
  };
}

function notText(path: string, bytes: number): AgentError {
  return new AgentError('tool_failed', `${escapeHidden(path)} is a binary file (${bytes} bytes) and cannot be shown.`);
}
