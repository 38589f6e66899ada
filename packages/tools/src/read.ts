import type { Tool, ToolResult } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { BUILTIN_TOOL_CATALOG } from './catalog.js';
import { defineTool } from './define-tool.js';
import { type OpenFile, openFile } from './files/anchored-open.js';
import { toFileError } from './files/file-error.js';
import type { FileLedger } from './files/file-ledger.js';
import { type LineWindow, type WindowOptions, windowOfFile, windowOfText } from './files/line-window.js';
import { imageMediaType, SIGNATURE_BYTES } from './files/media-type.js';
import { decodeText } from './files/text-encoding.js';
import { toVisibleName } from './visible-text.js';
import { realPathFor, toAbsolutePath } from './workspace.js';

const DEFAULT_LINES = 2000;
const MAX_WINDOW_BYTES = 128 * 1024;
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;
/** Up to here a file is read whole; above, only as far as the window goes. */
const MAX_WHOLE_BYTES = 4 * 1024 * 1024;

/** What `read_file` takes. */
export const readInput = z.lazy(() =>
  z.object({
    file_path: z.string().check(z.minLength(1)),
    offset: z.optional(z.int().check(z.gte(0), z.describe('First line, counted from 0.'))),
    limit: z.optional(z.int().check(z.gte(1), z.describe(`Number of lines. Default ${DEFAULT_LINES}.`))),
  }),
);

/** `read_file`: a window of lines of a text file, or a picture. Notes the file's state for later edits. */
export function readTool(ledger: FileLedger): Tool<z.output<typeof readInput>> {
  return defineTool({
    entry: BUILTIN_TOOL_CATALOG.read_file,
    description: 'Reads a text file or an image. Long files come in parts: go on with offset and limit.',
    input: readInput,
    memberAliases: { absolute_path: 'file_path', path: 'file_path' },
    paths: ({ file_path }, cwd) => [{ path: toAbsolutePath(file_path, cwd), access: 'read' }],
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

async function readOpenFile({ handle, stats }: OpenFile, options: ReadOptions): Promise<ToolResult> {
  const { path, offset, limit, signal } = options;
  const windowOptions: WindowOptions = { offset, limit, maxBytes: MAX_WINDOW_BYTES };
  if (stats.size > MAX_WHOLE_BYTES) {
    const head = Buffer.alloc(SIGNATURE_BYTES);
    await handle.read(head, 0, SIGNATURE_BYTES, 0);
    if (imageMediaType(head) !== undefined && stats.size <= MAX_IMAGE_BYTES) return toImage(await handle.readFile());
    if (decodeText(head)?.encoding !== 'utf-8') throw notText(path, stats.size);
    return toText(await windowOfFile(handle, windowOptions, signal), options);
  }
  const bytes = await handle.readFile();
  if (imageMediaType(bytes) !== undefined) return toImage(bytes);
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw notText(path, stats.size);
  const result = toText(windowOfText(decoded.text, windowOptions), options);
  return decoded.isLossy ? { content: `${result.content}\n[not valid UTF-8: some bytes are shown as �]` } : result;
}

function toText({ text, count, hasMore }: LineWindow, { offset }: ReadOptions): { content: string } {
  if (count === 0) return { content: offset === 0 ? '[the file is empty]' : `[the file has no line ${offset}]` };
  if (!hasMore) return { content: text };
  const next = offset + count;
  return { content: `${text}\n[lines ${offset} to ${next - 1}; more follow, go on with offset ${next}]` };
}

function toImage(bytes: Buffer): ToolResult {
  const mediaType = imageMediaType(bytes) ?? 'application/octet-stream';
  return {
    content: [{ type: 'image', source: { type: 'base64', media_type: mediaType, data: bytes.toString('base64') } }],
  };
}

function notText(path: string, size: bigint): AgentError {
  return new AgentError('tool_failed', `${toVisibleName(path)} is a binary file of ${size} bytes; it is not shown.`);
}
