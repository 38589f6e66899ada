import { join } from 'node:path';
import { openFile } from '../files/anchored-open.js';
import { decodeText } from '../files/text-encoding.js';
import { LineMatcher } from './line-matcher.js';
import { type FileMatches, invalidPattern, MAX_SEARCHED_BYTES, type SearchRequest } from './search-engine.js';
import { type WalkedFile, walkFiles } from './walk.js';

const MAX_ENTRIES = 200_000;
const BATCH_SIZE = 16;

export async function* searchByWalking(request: SearchRequest): AsyncGenerator<FileMatches> {
  await using matcher = new LineMatcher({ expression: toExpression(request) });
  let batch: WalkedFile[] = [];
  for await (const file of candidates(request)) {
    if (request.accepts(file.names)) batch.push(file);
    if (batch.length < BATCH_SIZE) continue;
    yield* matchFiles(matcher, batch);
    batch = [];
  }
  yield* matchFiles(matcher, batch);
}

/** A message costs more than matching a small file. */
async function* matchFiles(matcher: LineMatcher, files: readonly WalkedFile[]): AsyncGenerator<FileMatches> {
  const texts = await Promise.all(files.map(({ path }) => readSearchable(path)));
  const found = await matcher.match(texts);
  for (const [index, { names }] of files.entries()) {
    const lines = found[index] ?? [];
    if (lines.length > 0) yield { names, lines };
  }
}

async function* candidates({ folder, file, signal, onCut }: SearchRequest): AsyncGenerator<WalkedFile> {
  if (file !== undefined) yield { path: join(folder, file), names: [file] };
  else {
    yield* walkFiles({
      root: folder,
      signal,
      maxEntries: MAX_ENTRIES,
      onCut: () => onCut(`only the first ${MAX_ENTRIES} files and folders were searched`),
    });
  }
}

async function readSearchable(path: string): Promise<string> {
  try {
    await using file = await openFile(path);
    if (file.stats.size > MAX_SEARCHED_BYTES) return '';
    return decodeText(await file.handle.readFile())?.text ?? '';
  } catch {
    return '';
  }
}

/** Accepts inline flags like ripgrep, and patterns without Unicode mode. */
function toExpression({ pattern, isCaseSensitive = false }: SearchRequest): RegExp {
  const [, flags = '', body = pattern] = /^\(\?([ims]+)\)([\s\S]*)$/.exec(pattern) ?? [];
  const wanted = [...new Set(`${isCaseSensitive ? '' : 'i'}${flags}`)].join('');
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
