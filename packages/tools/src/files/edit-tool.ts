import type { Tool, ToolContext } from '@qwen/agent';
import { AgentError, escapeHidden } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { changeDisplay, changePreview } from './change-display.js';
import type { FileLedger } from './file-ledger.js';
import { type LoadedFile, loadFile } from './load-file.js';
import { replaceFile } from './replace-file.js';
import { replaceText } from './replace-text.js';
import { encodeAs, PLAIN_UTF8 } from './text-encoding.js';

const changeMembers = {
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.optional(z.boolean()),
  expected_replacements: z.optional(z.int().check(z.gte(1))),
};

export const editInput = z.lazy(() =>
  z.object({
    file_path: z.string().check(z.minLength(1)),
    old_string: z.optional(
      z.string().check(z.describe('Exact text with enough context to be unique. Empty: create the file.')),
    ),
    new_string: z.optional(z.string()),
    replace_all: z.optional(z.boolean()),
    expected_replacements: z.optional(z.int().check(z.gte(1))),
    edits: z.optional(
      z
        .array(z.object(changeMembers))
        .check(z.minLength(1), z.describe('Instead of the above: several changes, made in order, all or none.')),
    ),
  }),
);
type EditInput = z.output<typeof editInput>;

interface Change {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
  readonly expected_replacements?: number | undefined;
}

export function editTool(ledger: FileLedger): Tool<EditInput> {
  return defineTool({
    name: 'edit',
    description: 'Replace old_string with new_string in a file. It must match exactly once unless replace_all is set.',
    input: editInput,
    memberAliases: { absolute_path: 'file_path', path: 'file_path' },
    paths: ({ file_path }, cwd) => [{ path: toAbsolutePath(file_path, cwd), access: 'write' }],
    async preview(call, context) {
      const path = toAbsolutePath(call.file_path, context.cwd);
      const file = await loadFile(await realPathFor(path, context));
      const edited = await editFile(file, call, { path, isPrivate: false });
      return changePreview({ path, before: edited.before, after: edited.after });
    },
    async execute(call, context) {
      const path = toAbsolutePath(call.file_path, context.cwd);
      const realPath = await realPathFor(path, context);
      return ledger.exclusively(realPath, async () => {
        context.signal.throwIfAborted();
        const file = await loadFile(realPath);
        const previous = file.kind === 'missing' ? undefined : file.previous;
        if (previous !== undefined) ledger.assertFresh(realPath, previous.stamp);
        const isPrivate = isPrivateFile(realPath, context);
        const { before, after, bytes, note } = await editFile(file, call, { path, isPrivate });
        ledger.remember(realPath, await replaceFile({ realPath, bytes, previous }));
        const what = previous === undefined ? 'Created' : 'Edited';
        const proposed = await proposedText(file, context.proposedInput, path);
        return {
          content: `${what} ${escapeHidden(path)}: ${note}`,
          display: await changeDisplay({ path, before, after, proposed }),
        };
      });
    },
  });
}

/** Whether messages must not quote the file because the model may not read it. */
export function isPrivateFile(realPath: string, { isHidden, isGuarded }: ToolContext): boolean {
  return isHidden?.(realPath) === true || isGuarded?.(realPath) === true;
}

/** Applies the model's original edit; if it did not fit, the text stays unchanged. */
async function proposedText(file: LoadedFile, proposedInput: unknown, path: string): Promise<string | undefined> {
  if (proposedInput === undefined) return undefined;
  const proposed = z.safeParse(editInput, proposedInput);
  const before = file.kind === 'text' ? file.content.text : '';
  if (!proposed.success) return before;
  try {
    return (await editFile(file, proposed.data, { path, isPrivate: true })).after;
  } catch {
    return before;
  }
}

interface EditedFile {
  readonly before: string;
  readonly after: string;
  readonly bytes: Uint8Array;
  /** What was done, for the model. */
  readonly note: string;
}

interface EditTarget {
  readonly path: string;
  readonly isPrivate: boolean;
}

/** Makes all changes of a call in memory. Throws if one does not fit or the encoding cannot be kept. */
async function editFile(file: LoadedFile, call: EditInput, { path, isPrivate }: EditTarget): Promise<EditedFile> {
  const changes = changesOf(call);
  const before = editableText(file, changes, path);
  let after = before;
  let [count, firstLine, loose] = [0, 0, 0];
  for (const [index, change] of changes.entries()) {
    const member = changes.length === 1 ? '' : `edits[${index}].`;
    const names = { file: escapeHidden(path), old: `${member}old_string`, isPrivate };
    const made = await changeText(after, change, names);
    after = made.text;
    count += made.count;
    if (index === 0) firstLine = made.firstLine;
    if (made.isLoose) loose += 1;
  }
  if (after === before) {
    throw new AgentError('invalid_tool_input', `edit: the changes leave ${escapeHidden(path)} as it is.`);
  }
  const bytes = encodeAs(after, file.kind === 'text' ? file.content : PLAIN_UTF8, path);
  const fitted = loose === 0 ? '' : ' It fitted after ignoring blanks, look-alike characters or escapes.';
  const note = `${count} replacement${count === 1 ? '' : 's'}, first at line ${firstLine}.${fitted}`;
  return { before, after, bytes, note };
}

function changesOf({
  old_string,
  new_string,
  replace_all,
  expected_replacements,
  edits,
}: EditInput): readonly Change[] {
  const isSingle = old_string !== undefined || new_string !== undefined;
  if (edits !== undefined) {
    if (!isSingle) return edits;
    throw new AgentError('invalid_tool_input', 'edit: give either old_string and new_string, or edits.');
  }
  if (old_string !== undefined && new_string !== undefined) {
    return [{ old_string, new_string, replace_all, expected_replacements }];
  }
  const missing = old_string === undefined ? 'old_string' : 'new_string';
  throw new AgentError('invalid_tool_input', `edit: "${missing}" is not as expected: it is missing (string)`, {
    data: { member: missing },
  });
}

function editableText(file: LoadedFile, changes: readonly Change[], path: string): string {
  const name = escapeHidden(path);
  if (file.kind === 'missing') {
    if (changes[0]?.old_string === '') return '';
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

type Names = Parameters<typeof replaceText>[2];

async function changeText(text: string, change: Change, names: Names): ReturnType<typeof replaceText> {
  const { old_string: oldText, new_string: newText, replace_all: replaceAll, expected_replacements: expected } = change;
  if (oldText === newText) {
    throw new AgentError('invalid_tool_input', 'edit: old_string and new_string are identical.');
  }
  if (oldText === '') {
    if (text === '') return { text: newText, count: 1, firstLine: 1, end: newText.length, isLoose: false };
    throw new AgentError(
      'tool_failed',
      `${names.file} exists and is not empty. Set old_string to the text to replace.`,
    );
  }
  return replaceText(text, { oldText, newText, replaceAll, expected }, names);
}
