import { AgentError, escapeHidden } from '@qwen/protocol';
import { decodeText, openFile } from '@qwen/tools';
import { toFileFailure } from './file-failure.js';
import { resolveVisible, type Workspace } from './workspace.js';

const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

export interface ReadRequest {
  readonly path: string;
  /** First line, from 0. */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ReadAnswer {
  readonly content: string;
  readonly displaySummary: string;
}

/**
 * Reads a text file, or a range of its lines. Errors: those of {@link resolveVisible}; `file_not_found`,
 * `permission_denied`; `invalid_payload` for a folder or a binary file; `payload_too_large`.
 */
export async function readFile(workspace: Workspace, { path, offset = 0, limit }: ReadRequest): Promise<ReadAnswer> {
  const text = await readText(workspace, path);
  const lines = text.split(/(?<=\n)/);
  const total = text === '' ? 0 : lines.length;
  const wanted = limit === undefined ? lines.slice(offset) : lines.slice(offset, offset + limit);
  const { content, count } = truncate(wanted);
  const shown = count === 0 ? 'no lines' : `lines ${offset + 1}-${offset + count}`;
  const cut = count < wanted.length ? ', truncated' : '';
  return { content, displaySummary: `Read ${shown} of ${total} from ${escapeHidden(path)}${cut}` };
}

async function readText(workspace: Workspace, path: string): Promise<string> {
  const { realPath } = await resolveVisible(workspace, path);
  try {
    await using file = await openFile(realPath);
    if (file.stats.size > MAX_FILE_BYTES) {
      throw new AgentError(
        'payload_too_large',
        `The file has ${file.stats.size} bytes; the limit is ${MAX_FILE_BYTES}.`,
      );
    }
    const decoded = decodeText(await file.handle.readFile());
    if (decoded !== undefined) return decoded.text;
  } catch (error) {
    throw toFileFailure(error, 'read', path);
  }
  throw new AgentError('invalid_payload', `${escapeHidden(path)} is a binary file.`);
}

function truncate(lines: readonly string[]): { readonly content: string; readonly count: number } {
  let bytes = 0;
  const kept: string[] = [];
  for (const line of lines) {
    bytes += Buffer.byteLength(line);
    if (bytes > MAX_ANSWER_BYTES) break;
    if (line !== '') kept.push(line);
  }
  const [first = ''] = lines;
  if (kept.length === 0 && first !== '') return { content: first.slice(0, MAX_ANSWER_BYTES / 4), count: 1 };
  return { content: kept.join(''), count: kept.length };
}
