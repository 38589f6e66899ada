import { AgentError } from '@qwen/protocol';
import { decodeText, openFile, toVisibleName } from '@qwen/tools';
import { toFileFailure } from './file-failure.js';
import { resolveVisible, type Workspace } from './workspace.js';

/** Larger files are not what a person reads in a browser. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** What one answer carries at most (GAP-67). */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;

export interface ReadRequest {
  readonly path: string;
  /** First line, counted from 0. */
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ReadAnswer {
  readonly content: string;
  readonly displaySummary: string;
}

/**
 * The text of a file as it stands there, or a window of its lines. Errors: those of {@link resolveVisible};
 * `file_not_found`, `permission_denied`; `invalid_payload` for a folder and for what is no text; `payload_too_large`.
 */
export async function readFile(workspace: Workspace, { path, offset = 0, limit }: ReadRequest): Promise<ReadAnswer> {
  const text = await readText(workspace, path);
  const lines = text.split(/(?<=\n)/);
  const total = text === '' ? 0 : lines.length;
  const wanted = limit === undefined ? lines.slice(offset) : lines.slice(offset, offset + limit);
  const { content, count } = cutToFit(wanted);
  const shown = count === 0 ? 'no lines' : `lines ${offset + 1}-${offset + count}`;
  const cut = count < wanted.length ? ', cut to fit' : '';
  return { content, displaySummary: `Read ${shown} of ${total} from ${toVisibleName(path)}${cut}` };
}

async function readText(workspace: Workspace, path: string): Promise<string> {
  const { realPath } = await resolveVisible(workspace, path);
  try {
    await using file = await openFile(realPath);
    if (file.stats.size > MAX_FILE_BYTES) {
      throw new AgentError(
        'payload_too_large',
        `The file has ${file.stats.size} bytes; at most ${MAX_FILE_BYTES} are read.`,
      );
    }
    const decoded = decodeText(await file.handle.readFile());
    if (decoded !== undefined) return decoded.text;
  } catch (error) {
    throw toFileFailure(error, 'read', path);
  }
  throw new AgentError('invalid_payload', `${toVisibleName(path)} is a binary file.`);
}

/** Whole lines up to the limit; a single line that is longer is cut in itself. */
function cutToFit(lines: readonly string[]): { readonly content: string; readonly count: number } {
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
