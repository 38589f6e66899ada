import { join } from 'node:path';
import { openFile } from '../files/anchored-open.js';
import { decodeText } from '../files/text-encoding.js';
import { LineMatcher } from './line-matcher.js';
import { type FileMatches, invalidPattern, MAX_SEARCHED_BYTES, type SearchRequest } from './search-engine.js';
import { type WalkedFile, walkFiles } from './walk.js';

const MAX_ENTRIES = 200_000;
/** Texts are handed over in batches: a message to another thread costs more than a small text. */
const BATCH_LENGTH = 512 * 1024;

/** The engine that needs nothing but us: walks the tree and holds each file against a JavaScript expression. */
export async function* searchByWalking(request: SearchRequest): AsyncGenerator<FileMatches> {
  await using matcher = new LineMatcher({ expression: toExpression(request.pattern) });
  let batch: (WalkedFile & { text: string })[] = [];
  let length = 0;
  const flush = async function* (): AsyncGenerator<FileMatches> {
    const found = await matcher.match(batch.map(({ text }) => text));
    for (const [index, { names }] of batch.entries()) {
      const lines = found[index] ?? [];
      if (lines.length > 0) yield { names, lines };
    }
    batch = [];
    length = 0;
  };
  for await (const file of candidates(request)) {
    if (!request.accepts(file.names)) continue;
    const text = await readSearchable(file.path);
    if (text === undefined) continue;
    batch.push({ ...file, text });
    length += text.length;
    if (length >= BATCH_LENGTH) yield* flush();
  }
  if (batch.length > 0) yield* flush();
}

async function* candidates({ folder, file, signal, onCut }: SearchRequest): AsyncGenerator<WalkedFile> {
  if (file !== undefined) yield { path: join(folder, file), names: [file] };
  else {
    yield* walkFiles({
      root: folder,
      signal,
      maxEntries: MAX_ENTRIES,
      onCut: () => onCut(`only the first ${MAX_ENTRIES} files and folders were looked at`),
    });
  }
}

async function readSearchable(path: string): Promise<string | undefined> {
  try {
    await using file = await openFile(path);
    if (file.stats.size > MAX_SEARCHED_BYTES) return undefined;
    return decodeText(await file.handle.readFile())?.text;
  } catch {
    // A file that vanished or may not be read is like one that does not match.
    return undefined;
  }
}

/** Accepts the flags in front that ripgrep knows, and patterns that are only valid without Unicode rules. */
function toExpression(pattern: string): RegExp {
  const [, flags = '', body = pattern] = /^\(\?([ims]+)\)([\s\S]*)$/.exec(pattern) ?? [];
  const wanted = [...new Set(`i${flags}`)].join('');
  try {
    return new RegExp(body, `${wanted}u`);
  } catch (error) {
    try {
      return new RegExp(body, wanted);
    } catch {
      throw invalidPattern(pattern, error);
    }
  }
}
