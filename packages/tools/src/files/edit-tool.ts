import type { Tool } from '@qwen/agent';
import { AgentError, escapeHidden } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { changeDisplay, changePreview } from './change-display.js';
import type { FileLedger } from './file-ledger.js';
import { type LoadedFile, loadFile } from './load-file.js';
import { replaceFile } from './replace-file.js';
import { type ReplacedText, replaceText } from './replace-text.js';
import { encodeText, PLAIN_UTF8 } from './text-encoding.js';

export const editInput = z.lazy(() =>
  z.object({
    file_path: z.string().check(z.minLength(1)),
    old_string: z.string().check(z.describe('Exact text with enough context to be unique. Empty: create the file.')),
    new_string: z.string(),
    replace_all: z.optional(z.boolean()),
    expected_replacements: z.optional(z.int().check(z.gte(1))),
  }),
);
type EditInput = z.output<typeof editInput>;

export function editTool(ledger: FileLedger): Tool<EditInput> {
  return defineTool({
    name: 'edit',
    description: 'Replace old_string with new_string in a file. It must match exactly once unless replace_all is set.',
    input: editInput,
    memberAliases: { absolute_path: 'file_path', path: 'file_path' },
    paths: ({ file_path }, cwd) => [{ path: toAbsolutePath(file_path, cwd), access: 'write' }],
    async preview(call, context) {
      const path = toAbsolutePath(call.file_path, context.cwd);
      const realPath = await realPathFor(path, context);
      const file = await loadFile(realPath);
      if (file.kind !== 'missing') ledger.assertFresh(realPath, file.previous.stamp);
      const before = editableText(file, call, path);
      return changePreview({ path, before, after: applyEdit(before, call, path).text });
    },
    async execute(call, context) {
      const path = toAbsolutePath(call.file_path, context.cwd);
      const realPath = await realPathFor(path, context);
      return ledger.exclusively(realPath, async () => {
        context.signal.throwIfAborted();
        const file = await loadFile(realPath);
        const previous = file.kind === 'missing' ? undefined : file.previous;
        if (previous !== undefined) ledger.assertFresh(realPath, previous.stamp);
        const before = editableText(file, call, path);
        const { text: after, count, firstLine } = applyEdit(before, call, path);
        const bytes = encodeText(after, file.kind === 'text' ? file.content : PLAIN_UTF8);
        ledger.remember(realPath, await replaceFile({ realPath, bytes, previous }));
        const what = previous === undefined ? 'Created' : 'Edited';
        const proposed = proposedText(before, context.proposedInput, path);
        return {
          content: `${what} ${escapeHidden(path)}: ${count} replacement${count === 1 ? '' : 's'}, first at line ${firstLine}.`,
          display: await changeDisplay({ path, before, after, proposed }),
        };
      });
    },
  });
}

/** Applies the model's original edit; if it did not fit, the text stays unchanged. */
function proposedText(before: string, proposedInput: unknown, path: string): string | undefined {
  if (proposedInput === undefined) return undefined;
  const proposed = z.safeParse(editInput, proposedInput);
  try {
    return proposed.success ? applyEdit(before, proposed.data, path).text : before;
  } catch {
    return before;
  }
}

function editableText(file: LoadedFile, { old_string }: EditInput, path: string): string {
  const name = escapeHidden(path);
  if (file.kind === 'missing') {
    if (old_string === '') return '';
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

function applyEdit(before: string, call: EditInput, path: string): ReplacedText {
  const { old_string: oldText, new_string: newText, replace_all: all, expected_replacements: expected } = call;
  const name = escapeHidden(path);
  if (oldText === newText) {
    throw new AgentError('invalid_tool_input', 'edit: old_string and new_string are identical.');
  }
  if (oldText === '') {
    if (before === '') return { text: newText, count: 1, firstLine: 1 };
    throw new AgentError('tool_failed', `${name} exists and is not empty. Set old_string to the text to replace.`);
  }
  const replaced = replaceText(before, { oldText, newText });
  if (replaced.count === 0) {
    throw new AgentError(
      'tool_failed',
      `old_string was not found in ${name}. It must match exactly, including whitespace.`,
    );
  }
  if (expected !== undefined ? replaced.count !== expected : all !== true && replaced.count > 1) {
    const wanted = expected ?? 1;
    throw new AgentError(
      'tool_failed',
      `old_string occurs ${replaced.count} times in ${name}, expected ${wanted}. Add context or set replace_all.`,
      { data: { found: replaced.count, expected: wanted } },
    );
  }
  return replaced;
}
