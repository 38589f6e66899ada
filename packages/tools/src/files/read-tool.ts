import { stat } from 'node:fs/promises';
import type { Tool, ToolResult } from '@qwen/agent';
import { AgentError, escapeHidden } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { type OpenFile, openFile } from './anchored-open.js';
import { toFileError } from './file-error.js';
import type { FileLedger } from './file-ledger.js';
import { type FileView, viewFile } from './file-view.js';
import type { LineWindow } from './line-window.js';

const DEFAULT_LINES = 2000;
const MAX_WINDOW_BYTES = 128 * 1024;

export const readInput = z.lazy(() =>
  z.object({
    file_path: z.string().check(z.minLength(1)),
    offset: z.optional(z.int().check(z.gte(0), z.describe('First line, counted from 0.'))),
    limit: z.optional(z.int().check(z.gte(1), z.describe(`Number of lines. Default ${DEFAULT_LINES}.`))),
  }),
);

export function readTool(ledger: FileLedger): Tool<z.output<typeof readInput>> {
  return defineTool({
    name: 'read_file',
    description: 'Read a text file or an image. Read long files in parts with offset and limit.',
    input: readInput,
    paths: ({ file_path }, cwd) => [{ path: toAbsolutePath(file_path, cwd), access: 'read' }],
    async preview({ file_path }, context) {
      const path = toAbsolutePath(file_path, context.cwd);
      const stats = await stat(await realPathFor(path, context)).catch((error: unknown) => {
        throw toFileError(error, 'read', path);
      });
      if (stats.isDirectory()) throw new AgentError('tool_failed', `${escapeHidden(path)} is a directory.`);
      return undefined;
    },
    async execute({ file_path, offset = 0, limit = DEFAULT_LINES }, context) {
      const path = toAbsolutePath(file_path, context.cwd);
      const realPath = await realPathFor(path, context);
      try {
        await using file = await openFile(realPath);
        const result = await readOpenFile(file, { path, offset, limit, signal: context.signal });
        ledger.remember(realPath, file.stamp);
        return result;
      } catch (error) {
        throw toFileError(error, 'read', path);
      }
    },
  });
}

interface ReadOptions {
  readonly path: string;
  readonly offset: number;
  readonly limit: number;
  readonly signal: AbortSignal;
}

async function readOpenFile(file: OpenFile, options: ReadOptions): Promise<ToolResult> {
  const view = await viewFile(file, { ...options, maxBytes: MAX_WINDOW_BYTES });
  if (view.kind === 'binary') throw notText(options.path, view.bytes);
  if (view.kind === 'image') return toImage(view);
  const result = toText(view.window, options);
  return view.isLossy ? { content: `${result.content}\n[not valid UTF-8: some bytes are shown as �]` } : result;
}

function toText({ text, count, hasMore }: LineWindow, { offset }: ReadOptions): { content: string } {
  if (count === 0) return { content: offset === 0 ? '[the file is empty]' : `[the file has no line ${offset}]` };
  if (!hasMore) return { content: text };
  const next = offset + count;
  return { content: `${text}\n[lines ${offset} to ${next - 1}; more follow, continue with offset ${next}]` };
}

function toImage({ mediaType, data }: Extract<FileView, { kind: 'image' }>): ToolResult {
  return {
    content: [{ type: 'image', source: { type: 'base64', media_type: mediaType, data: data.toString('base64') } }],
  };
}

function notText(path: string, bytes: number): AgentError {
  return new AgentError('tool_failed', `${escapeHidden(path)} is a binary file (${bytes} bytes) and cannot be shown.`);
}
