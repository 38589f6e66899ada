import type { Tool } from '@qwen/agent';
import { escapeHidden } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';
import { realPathFor, toAbsolutePath } from '../paths/path-resolver.js';
import { changePreview, reportChanges } from './change-display.js';
import type { FileLedger } from './file-ledger.js';
import { type LoadedFile, loadFile } from './load-file.js';
import { assertComplete } from './omission.js';
import { isPrivateFile, makeChanges, type PlannedChange } from './planned-change.js';
import { encodeAs, mainLineEnd, PLAIN_UTF8, withLineEnds } from './text-encoding.js';

export const writeInput = z.lazy(() => z.object({ file_path: z.string().check(z.minLength(1)), content: z.string() }));

/** Other programs can add to a file. This tool would replace it. */
const appendInput = z.lazy(() =>
  z
    .object({ file_path: z.string(), content: z.string() })
    .check(z.refine(() => false, 'it replaces the whole file. Use edit to add to a file.')),
);

/** Keeps mode, encoding and line ends of an existing file. */
export function writeTool(ledger: FileLedger): Tool<z.output<typeof writeInput>> {
  return defineTool({
    name: 'write_file',
    description: 'Write a whole file; missing folders are created. Use edit to change part of a file.',
    input: writeInput,
    otherInput: ({ append, mode }) =>
      [true, 'true', 'append', 'a'].some((value) => value === append || value === mode) ? appendInput : undefined,
    paths: ({ file_path }, cwd) => [{ path: toAbsolutePath(file_path, cwd), access: 'write' }],
    async preview(call, context) {
      const path = toAbsolutePath(call.file_path, context.cwd);
      return changePreview([await planWrite(call, { path, realPath: await realPathFor(path, context) }, ledger)]);
    },
    async execute(call, context) {
      const path = toAbsolutePath(call.file_path, context.cwd);
      const realPath = await realPathFor(path, context);
      const plan = async () => [await planWrite(call, { path, realPath }, ledger)];
      const changes = await makeChanges({ ledger, context, realPaths: [realPath], plan });
      const { display, patches, originalFile, userModified } = await reportChanges(
        changes.map((change) => ({
          ...change,
          proposed: proposedText(change.before, context.proposedInput),
          isPrivate: isPrivateFile(realPath, context),
        })),
      );
      const [change] = changes;
      return {
        content: changes.map(({ note }) => note).join('\n'),
        display,
        structured: {
          type: change?.file.kind === 'missing' ? 'create' : 'update',
          filePath: path,
          content: change?.after ?? '',
          structuredPatch: patches.flat(),
          originalFile,
          userModified,
        },
      };
    },
  });
}

type WriteInput = z.output<typeof writeInput>;

async function planWrite(
  { content }: WriteInput,
  { path, realPath }: { path: string; realPath: string },
  { editor }: FileLedger,
): Promise<PlannedChange> {
  const file = await loadFile(realPath, editor);
  const before = textOf(file);
  if (before !== '') assertComplete(content, before, 'content');
  const [{ assertNoMarkup }, { plainContent }] = await Promise.all([
    import('./pasted-markup.js'),
    import('./plain-new-text.js'),
  ]);
  const plain = plainContent(content, path);
  assertNoMarkup({ newText: plain, oldText: '', before, path, name: 'content' });
  const after = withLineEndsOf(before, plain);
  const bytes = encodeAs(after, file.kind === 'text' ? file.content : PLAIN_UTF8, path);
  const size = `${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}`;
  const decoded = plain === content ? '' : ' The content was one line; its escapes \\n were written as line ends.';
  const note = `${file.kind === 'missing' ? 'Created' : 'Wrote'} ${escapeHidden(path)} (${size}).${decoded}`;
  return { path, realPath, file, before, after, bytes, note };
}

function textOf(file: LoadedFile): string {
  return file.kind === 'text' ? file.content.text : '';
}

function withLineEndsOf(before: string, content: string): string {
  return before === '' ? content : withLineEnds(content, mainLineEnd(before));
}

/** The content that the model proposed, if the user changed it. */
function proposedText(before: string, proposedInput: unknown): string | undefined {
  const proposed = z.safeParse(writeInput, proposedInput);
  return proposed.success ? withLineEndsOf(before, proposed.data.content) : undefined;
}
