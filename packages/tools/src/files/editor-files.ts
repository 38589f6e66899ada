import type { OpenFile } from './anchored-open.js';
import type { EditorFiles, FileStamp } from './file-ledger.js';
import { decodeText, mainLineEnd, withLineEnds } from './text-encoding.js';

/** An editor does not hold larger ones unsaved. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The text in the editor if it is not that of the file. Line ends and byte order marks do not count. */
export async function unsavedText(editor: EditorFiles | undefined, realPath: string, { handle, stats }: OpenFile) {
  if (editor === undefined || stats.size > MAX_BYTES) return undefined;
  const data = Buffer.alloc(Number(stats.size));
  // Not from the position of the handle, where another reader may follow.
  await handle.read(data, 0, data.length, 0);
  const saved = decodeText(data);
  if (saved === undefined || saved.isLossy) return undefined;
  const shown = await editor.read(realPath);
  if (shown === undefined) return undefined;
  const text = withLineEnds(shown.replace(/^\uFEFF/, ''), mainLineEnd(saved.text));
  return text === withLineEnds(saved.text, mainLineEnd(saved.text)) ? undefined : text;
}

export function stampWith(stamp: FileStamp, unsaved: string | undefined): FileStamp {
  if (unsaved === undefined) return stamp;
  const { createHash } = process.getBuiltinModule('node:crypto');
  return `${stamp}:${createHash('sha256').update(unsaved).digest('base64')}`;
}
