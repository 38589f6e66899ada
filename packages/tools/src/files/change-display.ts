import type { ChangeStat, ToolDisplay, ToolPreview } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import { type DiffOptions, type UnifiedDiff, unifiedDiff } from './unified-diff.js';

/** Longer texts are not sent along whole; the diff tells what matters. In UTF-16 units, of both together. */
const MAX_TEXT_LENGTH = 256 * 1024;

/** A change of a file that was made. */
export interface MadeChange extends DiffOptions {
  /** What the file would have become before a person changed the call; missing when nobody did. */
  readonly proposed?: string | undefined;
}

/** How a screen shows that a file was changed: as a diff where one can be had. */
export async function changeDisplay(change: MadeChange): Promise<ToolDisplay> {
  const { path, before, after } = change;
  const diff = await unifiedDiff(change);
  const stat = diff && (await statOf(change, diff));
  if (diff === undefined || stat === undefined) {
    return { kind: 'text', text: `${path}: ${before.length} → ${after.length} characters` };
  }
  return { kind: 'diff', path, diff: diff.text, ...wholeTexts(change), stat };
}

/** What a person sees of a change before saying yes. Throws `tool_failed` when it is too large to be worked out in passing. */
export async function changePreview(change: DiffOptions): Promise<ToolPreview> {
  const diff = await unifiedDiff(change);
  if (diff === undefined) throw new AgentError('tool_failed', 'The change is too large to be shown.');
  return { type: 'edit', path: change.path, diff: diff.text, ...wholeTexts(change) };
}

function wholeTexts({ before, after }: DiffOptions): { original?: string; modified?: string } {
  return before.length + after.length > MAX_TEXT_LENGTH ? {} : { original: before, modified: after };
}

/** Lines by whose hand they changed. */
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
