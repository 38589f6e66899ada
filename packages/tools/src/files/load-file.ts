import { AgentError, escapeHidden, systemCodeOf } from '@qwen/protocol';
import { openFile } from './anchored-open.js';
import { unsavedText } from './editor-files.js';
import { toFileError } from './file-error.js';
import type { EditorFiles } from './file-ledger.js';
import type { ReplacedFile } from './replace-file.js';
import { type DecodedText, decodeText } from './text-encoding.js';

const MAX_EDITED_BYTES = 20 * 1024 * 1024;

export type LoadedFile =
  | { readonly kind: 'missing' }
  | { readonly kind: 'binary'; readonly previous: ReplacedFile }
  | {
      readonly kind: 'text';
      readonly previous: ReplacedFile;
      readonly content: DecodedText;
      /** Whether `content` is the text in the editor, not that of the file. */
      readonly isUnsaved: boolean;
    };

/** Throws `tool_failed` for a file that is not regular or too large. */
export async function loadFile(realPath: string, editor?: EditorFiles): Promise<LoadedFile> {
  try {
    await using file = await openFile(realPath);
    const { stats, stamp, handle } = file;
    if (stats.size > MAX_EDITED_BYTES) {
      throw new AgentError('tool_failed', `${escapeHidden(realPath)} is too large to change (${stats.size} bytes).`);
    }
    const previous = { stamp, mode: Number(stats.mode) & 0o7777, uid: Number(stats.uid), gid: Number(stats.gid) };
    const content = decodeText(await handle.readFile());
    if (content === undefined) return { kind: 'binary', previous };
    const unsaved = await unsavedText(editor, realPath, file);
    const isUnsaved = unsaved !== undefined;
    return { kind: 'text', previous, content: isUnsaved ? { ...content, text: unsaved } : content, isUnsaved };
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return { kind: 'missing' };
    throw toFileError(error, 'read', realPath);
  }
}

/** Throws `tool_failed` if the file has no text that can be written back. */
export function editableText(file: LoadedFile, path: string): string {
  const name = escapeHidden(path);
  if (file.kind === 'missing') {
    throw new AgentError('tool_failed', `${name} does not exist. To create it, leave old_string empty.`);
  }
  if (file.kind === 'binary') throw new AgentError('tool_failed', `${name} is a binary file and cannot be edited.`);
  if (file.content.isLossy) {
    throw new AgentError(
      'tool_failed',
      `${name} contains bytes that are not valid ${file.content.encoding}; an edit would lose them.`,
    );
  }
  return file.content.text;
}
