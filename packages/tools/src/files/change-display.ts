import type { ChangeStat, ToolDisplay, ToolPreview } from '@qwen/agent';
import { escapeHidden } from '@qwen/protocol';
import { staleFile } from './file-ledger.js';
import type { LoadedFile } from './load-file.js';
import { type DiffOptions, type UnifiedDiff, unifiedDiff } from './unified-diff.js';

/** Both texts, in UTF-16 units. Above it, only the diff is sent. */
const MAX_TEXT_LENGTH = 256 * 1024;

interface MadeChange extends DiffOptions {
  /** The content that the model proposed, if the user changed the call. */
  readonly proposed?: string | undefined;
}

export interface ReportedChange extends MadeChange {
  readonly file: LoadedFile;
  /** Old text is left out of the result for programs, which is stored. */
  readonly isPrivate: boolean;
}

export interface ReportedChanges {
  readonly display: ToolDisplay;
  /** The hunks of each change; empty if its diff is too large or the file is private. */
  readonly patches: readonly UnifiedDiff['hunks'][];
  /** The text of the first file before; null for a new, a large or a private one. */
  readonly originalFile: string | null;
  readonly userModified: boolean;
}

export async function reportChanges(changes: readonly ReportedChange[]): Promise<ReportedChanges> {
  const diffs = await Promise.all(changes.map(unifiedDiff));
  const [first] = changes;
  const hasText = first?.file.kind !== 'missing' && first?.isPrivate === false;
  return {
    display: await changeDisplay(changes, diffs),
    patches: diffs.map((diff, index) => (changes[index]?.isPrivate === true ? [] : (diff?.hunks ?? []))),
    originalFile: (hasText ? wholeTexts(first).original : undefined) ?? null,
    userModified: first?.proposed !== undefined && first.proposed !== first.after,
  };
}

async function changeDisplay(
  changes: readonly MadeChange[],
  diffs: readonly (UnifiedDiff | undefined)[],
): Promise<ToolDisplay> {
  const stats = await Promise.all(changes.map(async (change, index) => diffs[index] && statOf(change, diffs[index])));
  const [first] = changes;
  const stat = stats.reduce((sum, one) => sum && one && addStats(sum, one));
  if (first === undefined || stat === undefined) return { kind: 'text', text: changes.map(inWords).join('\n') };
  const diff = diffs.map((one) => one?.text ?? '').join('');
  return { kind: 'diff', path: first.path, diff, ...(changes.length === 1 && wholeTexts(first)), stat };
}

export async function changePreview(changes: readonly DiffOptions[]): Promise<ToolPreview> {
  const diffs = await Promise.all(changes.map(unifiedDiff));
  const [first] = changes;
  if (first === undefined || diffs.includes(undefined)) {
    const prompt = `The change is too large to show.\n${changes.map(inWords).join('\n')}`;
    return { type: 'info', prompt, urls: [] };
  }
  const diff = diffs.map((one) => one?.text ?? '').join('');
  return { type: 'edit', path: first.path, diff, ...(changes.length === 1 && wholeTexts(first)) };
}

/** Throws `stale_file` if the changed lines are not those that the user approved. */
export async function assertApproved(
  changes: readonly DiffOptions[],
  approved: ToolPreview | undefined,
): Promise<void> {
  if (approved?.type !== 'edit') return;
  const now = await changePreview(changes);
  const isSame = now.type === 'edit' && changedLines(now.diff) === changedLines(approved.diff);
  if (!isSame) throw staleFile(approved.path);
}

/** Without context and line numbers, which an earlier call of the same answer may change. */
function changedLines(diff: string): string {
  return diff
    .split('\n')
    .filter((line) => /^[+-]/.test(line))
    .join('\n');
}

function inWords({ path, before, after }: DiffOptions): string {
  return `${escapeHidden(path)}: ${before.length} → ${after.length} characters`;
}

function wholeTexts({ before, after }: DiffOptions): { original?: string; modified?: string } {
  return before.length + after.length > MAX_TEXT_LENGTH ? {} : { original: before, modified: after };
}

async function statOf(
  { path, before, after, proposed }: MadeChange,
  whole: UnifiedDiff,
): Promise<ChangeStat | undefined> {
  if (proposed === undefined) return toStat(whole, { added: 0, removed: 0 });
  const ai = await unifiedDiff({ path, before, after: proposed });
  const user = await unifiedDiff({ path, before: proposed, after });
  return ai && user && toStat(ai, user);
}

type LineCount = Pick<UnifiedDiff, 'added' | 'removed'>;

function toStat(ai: LineCount, user: LineCount): ChangeStat {
  return { aiAdded: ai.added, aiRemoved: ai.removed, userAdded: user.added, userRemoved: user.removed };
}

function addStats(left: ChangeStat, right: ChangeStat): ChangeStat {
  return {
    aiAdded: left.aiAdded + right.aiAdded,
    aiRemoved: left.aiRemoved + right.aiRemoved,
    userAdded: left.userAdded + right.userAdded,
    userRemoved: left.userRemoved + right.userRemoved,
  };
}
