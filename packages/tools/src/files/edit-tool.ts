import type { Tool, ToolContext } from '@qwen/agent';
import { AgentError, escapeHidden, type ToolResultOf } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { changePreview, type ReportedChanges, reportChanges } from './change-display.js';
import type { EditorFiles, FileLedger } from './file-ledger.js';
import { editableText, type LoadedFile, loadFile } from './load-file.js';
import { assertComplete } from './omission.js';
import type { EditTarget } from './plan-patch.js';
import { assertFresh, isPrivateFile, makeChanges, type PlannedChange } from './planned-change.js';
import { readPatch } from './read-patch.js';
import type { replaceText } from './replace-text.js';
import { encodeAs, mainLineEnd, PLAIN_UTF8, withLineEnds } from './text-encoding.js';

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

/** Not offered: models trained on `apply_patch` send it. */
const patchInput = z.lazy(() =>
  z.object({ patch: z.string().check(z.minLength(1)), file_path: z.optional(z.string().check(z.minLength(1))) }),
);
type PatchInput = z.output<typeof patchInput>;

/** Not offered: the commands of editors that models were trained on. */
const insertInput = z.lazy(() =>
  z.object({
    file_path: z.string().check(z.minLength(1)),
    insert_line: z.int().check(z.gte(0)),
    new_string: z.string(),
  }),
);
type InsertInput = z.output<typeof insertInput>;
type EditCall = EditInput | PatchInput | InsertInput;

const undoInput = z.lazy(() =>
  z.object({
    command: z.string().check(z.refine(() => false, 'undo_edit is not available. Restore the text with another edit.')),
    file_path: z.string(),
  }),
);

export function editTool(ledger: FileLedger): Tool<EditCall> {
  return defineTool({
    name: 'edit',
    description: 'Replace old_string with new_string in a file. It must match exactly once unless replace_all is set.',
    input: editInput,
    adapt: withPatch,
    otherInput: ({ patch, insert_line: line, command }) => {
      if (command === 'undo_edit') return undoInput;
      return patch !== undefined ? patchInput : line !== undefined ? insertInput : undefined;
    },
    paths: (call, cwd) => pathsOf(call, cwd).map((path) => ({ path, access: 'write' })),
    async preview(call, context) {
      const changes = await planChanges(call, { ...context, editor: ledger.editor });
      assertFresh(changes, ledger);
      return changePreview(changes);
    },
    async execute(call, context) {
      const realPaths = await Promise.all(pathsOf(call, context.cwd).map((path) => realPathFor(path, context)));
      const changes = await makeChanges({
        ledger,
        context,
        realPaths,
        plan: () => planChanges(call, { ...context, editor: ledger.editor }),
      });
      const proposed = await proposedText(changes, context);
      const report = await reportChanges(
        changes.map((change) => ({ ...change, proposed, isPrivate: isPrivateFile(change.realPath, context) })),
      );
      return {
        content: changes.map(({ note }) => note).join('\n'),
        display: report.display,
        structured: toStructured(call, changes, report),
      };
    },
  });
}

function toStructured(
  call: EditCall,
  changes: readonly PlannedChange[],
  { patches, originalFile, userModified }: ReportedChanges,
): ToolResultOf<'edit'> {
  const [first, ...others] = changes.map(({ path }, index) => ({
    filePath: path,
    structuredPatch: patches[index] ?? [],
  }));
  const {
    old_string: oldString = '',
    new_string: newString = '',
    replace_all: replaceAll = false,
  } = 'patch' in call ? {} : 'insert_line' in call ? { new_string: call.new_string } : (call.edits?.[0] ?? call);
  return {
    filePath: first?.filePath ?? '',
    oldString,
    newString,
    replaceAll,
    originalFile,
    structuredPatch: first?.structuredPatch ?? [],
    userModified,
    ...(others.length > 0 && { otherFiles: others }),
  };
}

/** The names that models give to a patch. */
const PATCH_MEMBERS = ['patch', 'input', 'patch_text', 'patchText', 'patch_content', 'diff'];

function withPatch(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  // Editors with several commands: this is the one that writes a new file.
  const { command, file_text: content, ...others } = input;
  const { edits, old_string: oldText, new_string: newText, ...rest } = others;
  if (Array.isArray(edits) && edits.length === 0 && oldText !== undefined)
    return { ...rest, old_string: oldText, new_string: newText };
  if (Array.isArray(edits) && oldText === '' && newText === '') return { ...rest, edits };
  if (command === 'str_replace' && !('new_string' in input)) return { ...others, new_string: '' };
  if (command === 'insert' && !('old_string' in input)) return toInsertion(others);
  if (command === 'create' && typeof content === 'string') return { ...others, old_string: '', new_string: content };
  const texts = PATCH_MEMBERS.map((name) => input[name]).filter((text) => typeof text === 'string');
  if (texts.length !== 1 || 'old_string' in input || 'edits' in input) return input;
  const { file_path: path } = input;
  return { patch: texts[0], ...(typeof path === 'string' && path !== '' && { file_path: path }) };
}

function toInsertion(input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { insert_line: line, insert_text: text, line_number: number, ...others } = input;
  const given = line === '' ? number : (line ?? number);
  const written = typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : (given ?? null);
  return { ...others, insert_line: written, ...(typeof text === 'string' && { new_string: text }) };
}

interface PlanContext extends Pick<ToolContext, 'cwd' | 'realPaths' | 'isHidden' | 'isGuarded'> {
  readonly editor: EditorFiles | undefined;
}

function pathsOf(call: EditCall, cwd: string): readonly string[] {
  if (!('patch' in call)) return [toAbsolutePath(call.file_path, cwd)];
  const named = readPatch(call.patch, call.file_path).flatMap((file) =>
    'moveTo' in file ? [file.path, file.moveTo ?? ''] : [file.path],
  );
  return [...new Set(named.filter((path) => path !== '').map((path) => toAbsolutePath(path, cwd)))];
}

/** Makes the changes in memory. Throws if one cannot be applied. */
async function planChanges(call: EditCall, context: PlanContext): Promise<readonly PlannedChange[]> {
  if ('patch' in call) {
    const { planPatch } = await import('./plan-patch.js');
    return planPatch(readPatch(call.patch, call.file_path), (path) => openTarget(path, context));
  }
  const target = await openTarget(call.file_path, context);
  if ('insert_line' in call) return [{ ...target, ...(await insertLines(target, call)) }];
  return [{ ...target, ...(await editFile(target.file, call, target)) }];
}

/** Inserts after a line, counted from 1; 0 is the start of the file. */
async function insertLines(
  { file, path }: EditTarget,
  { insert_line: line, new_string: text }: InsertInput,
): Promise<EditedFile> {
  const before = editableText(file, path);
  const name = escapeHidden(path);
  if (text === '') throw new AgentError('invalid_tool_input', 'edit: the text to insert is empty.');
  const { splitLines } = await import('./fit-text.js');
  const lines = splitLines(before);
  if (line > lines.length) {
    throw new AgentError('tool_failed', `${name} has ${lines.length} lines; cannot insert after line ${line}.`);
  }
  const lineEnd = mainLineEnd(before);
  const at = lines[line]?.start ?? before.length;
  const isOpen = at > 0 && !before.slice(0, at).endsWith('\n');
  const added = withLineEnds(text.endsWith('\n') ? text : `${text}\n`, lineEnd);
  const after = before.slice(0, at) + (isOpen ? lineEnd : '') + added + before.slice(at);
  const bytes = encodeAs(after, file.kind === 'text' ? file.content : PLAIN_UTF8, path);
  return { before, after, bytes, note: `Edited ${name}: inserted text after line ${line}.` };
}

async function openTarget(named: string, context: PlanContext): Promise<EditTarget> {
  const path = toAbsolutePath(named, context.cwd);
  const realPath = await realPathFor(path, context);
  // Do not quote text that the model may not read.
  return {
    path,
    realPath,
    isPrivate: isPrivateFile(realPath, context),
    file: await loadFile(realPath, context.editor),
  };
}

/** Applies the model's original edit; if it did not fit, the text stays unchanged. */
async function proposedText(changes: readonly PlannedChange[], context: ToolContext): Promise<string | undefined> {
  const { proposedInput } = context;
  const [change] = changes;
  if (proposedInput === undefined || change === undefined) return undefined;
  const proposed = z.safeParse(editInput, proposedInput);
  if (!proposed.success) return change.before;
  try {
    return (await editFile(change.file, proposed.data, { path: change.path, isPrivate: true })).after;
  } catch {
    return change.before;
  }
}

type EditedFile = Pick<PlannedChange, 'before' | 'after' | 'bytes' | 'note'>;

async function editFile(
  file: LoadedFile,
  call: EditInput,
  { path, isPrivate }: Pick<EditTarget, 'path' | 'isPrivate'>,
): Promise<EditedFile> {
  const changes = changesOf(call);
  const before = file.kind === 'missing' && changes[0]?.old_string === '' ? '' : editableText(file, path);
  let after = before;
  let [count, firstLine, loose] = [0, 0, 0];
  for (const [index, change] of changes.entries()) {
    const member = changes.length === 1 ? '' : `edits[${index}].`;
    const names = { file: escapeHidden(path), old: `${member}old_string`, new: `${member}new_string`, isPrivate };
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
  const fitted = loose === 0 ? '' : ' It fitted after ignoring blanks, look-alike characters, escapes or code fences.';
  const what = `${file.kind === 'missing' ? 'Created' : 'Edited'} ${escapeHidden(path)}`;
  const note = `${what}: ${count} replacement${count === 1 ? '' : 's'}, first at line ${firstLine}.${fitted}`;
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
  throw new AgentError('invalid_tool_input', `edit: "${missing}" is required (string)`, {
    data: { member: missing },
  });
}

type Names = Parameters<typeof replaceText>[2] & { readonly new: string };

async function changeText(text: string, change: Change, names: Names): ReturnType<typeof replaceText> {
  const { old_string: oldText, new_string: newText, replace_all: replaceAll, expected_replacements: expected } = change;
  if (oldText === newText) {
    throw new AgentError('invalid_tool_input', 'edit: old_string and new_string are identical.');
  }
  const { assertNoMarkup } = await import('./pasted-markup.js');
  if (oldText === '') {
    if (text === '') assertNoMarkup({ newText, oldText, before: text, path: names.file, name: names.new });
    if (text === '') return { text: newText, count: 1, firstLine: 1, end: newText.length, isLoose: false };
    throw new AgentError(
      'tool_failed',
      `${names.file} exists and is not empty. Set old_string to the text to replace.`,
    );
  }
  assertComplete(newText, text, names.new);
  const { replaceText: replace } = await import('./replace-text.js');
  const { plainNewText } = await import('./plain-new-text.js');
  const plain = plainNewText({ oldText, newText }, text, names.file);
  assertNoMarkup({ newText: plain, oldText, before: text, path: names.file, name: names.new });
  const made = await replace(text, { oldText, newText: plain, replaceAll, expected }, names);
  return plain === newText ? made : { ...made, isLoose: true };
}
