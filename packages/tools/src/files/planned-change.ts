import type { ToolContext } from '@qwen/agent';
import { AgentError, escapeHidden } from '@qwen/protocol';
import { openFile } from './anchored-open.js';
import { assertApproved } from './change-display.js';
import { stampWith, unsavedText } from './editor-files.js';
import type { FileLedger } from './file-ledger.js';
import { type LoadedFile, loadFile } from './load-file.js';
import { removeFile, replaceFile } from './replace-file.js';
import { encodeText, PLAIN_UTF8 } from './text-encoding.js';

export interface PlannedChange {
  readonly path: string;
  readonly realPath: string;
  readonly file: LoadedFile;
  readonly before: string;
  readonly after: string;
  /** Undefined to delete the file. */
  readonly bytes: Uint8Array | undefined;
  /** Describes the change for the model. */
  readonly note: string;
}

/** Whether the model may not read the file, or only if the user approves. */
export function isPrivateFile(realPath: string, { isHidden, isGuarded }: Partial<ToolContext>): boolean {
  return isHidden?.(realPath) === true || isGuarded?.(realPath) === true;
}

export interface ChangeRun {
  readonly ledger: FileLedger;
  readonly context: ToolContext;
  /** All that the call may touch. */
  readonly realPaths: readonly string[];
  readonly plan: () => Promise<readonly PlannedChange[]>;
}

/**
 * Plans and makes changes while no other call touches the files. Throws before the first one if a file is stale or the
 * result is not what was approved; if a later one fails, the earlier ones are undone.
 */
export async function makeChanges(run: ChangeRun): Promise<readonly PlannedChange[]> {
  const { ledger, context, realPaths, plan } = run;
  const [first, ...others] = [...new Set(realPaths)].toSorted();
  if (first !== undefined) return ledger.exclusively(first, () => makeChanges({ ...run, realPaths: others }));
  context.signal.throwIfAborted();
  const changes = await plan();
  assertFresh(changes, ledger);
  await assertApproved(changes, context.approvedPreview);
  const made: PlannedChange[] = [];
  try {
    for (const change of changes) {
      await makeChange(change, ledger);
      made.push(change);
    }
  } catch (error) {
    for (const change of made.toReversed()) await undo(change, ledger);
    throw error;
  }
  return changes;
}

/** Throws if a file changed since the model read it. */
export function assertFresh(changes: readonly PlannedChange[], ledger: FileLedger): void {
  for (const { realPath, file } of changes) {
    if (file.kind === 'missing') continue;
    const unsaved = file.kind === 'text' && file.isUnsaved ? file.content.text : undefined;
    ledger.assertFresh(realPath, stampWith(file.previous.stamp, unsaved));
  }
}

async function makeChange({ path, realPath, file, after, bytes }: PlannedChange, ledger: FileLedger): Promise<void> {
  if (file.kind === 'text' && file.isUnsaved) {
    if (bytes === undefined) {
      throw new AgentError('tool_failed', `${escapeHidden(path)} has unsaved changes in the editor. Save it first.`);
    }
    return writeInEditor(realPath, after, ledger);
  }
  const previous = file.kind === 'missing' ? undefined : file.previous;
  if (bytes !== undefined) ledger.remember(realPath, await replaceFile({ realPath, bytes, previous }));
  else if (previous !== undefined) await removeFile(realPath, previous);
}

async function writeInEditor(realPath: string, text: string, ledger: FileLedger): Promise<void> {
  await ledger.editor?.write(realPath, text);
  await using file = await openFile(realPath);
  ledger.remember(realPath, stampWith(file.stamp, await unsavedText(ledger.editor, realPath, file)));
}

async function undo({ path, realPath, file, before }: PlannedChange, ledger: FileLedger): Promise<void> {
  if (file.kind === 'text' && file.isUnsaved) return writeInEditor(realPath, before, ledger);
  const now = await loadFile(realPath);
  const previous = now.kind === 'missing' ? undefined : now.previous;
  if (file.kind === 'missing') {
    if (previous !== undefined) await removeFile(realPath, previous);
    return;
  }
  const bytes = encodeText(before, file.kind === 'text' ? file.content : PLAIN_UTF8);
  if (file.kind === 'binary' || bytes === undefined) {
    throw new AgentError('tool_failed', `${escapeHidden(path)} was deleted and cannot be restored.`);
  }
  ledger.remember(realPath, await replaceFile({ realPath, bytes, previous }));
}
