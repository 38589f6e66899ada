import type { ChangeStat, ToolDisplay, ToolPreview } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import { type DiffOptions, type UnifiedDiff, unifiedDiff } from './unified-diff.js';

/** Both texts, in UTF-16 units. Above it, only the diff is sent. */
const MAX_TEXT_LENGTH = 256 * 1024;

export interface MadeChange extends DiffOptions {
  /** The content that the model proposed, if the user changed the call. */
  readonly proposed?: string | undefined;
}

/** Falls back to one line if the diff is too large. */
export async function changeDisplay(change: MadeChange): Promise<ToolDisplay> {
  const { path, before, after } = change;
  const diff = await unifiedDiff(change);
  const stat = diff && (await statOf(change, diff));
  if (diff === undefined || stat === undefined) {
    return { kind: 'text', text: `${path}: ${before.length} → ${after.length} characters` };
  }
  return { kind: 'diff', path, diff: diff.text, ...wholeTexts(change), stat };
}

/** Throws `tool_failed` if the diff is too large. */
export async function changePreview(change: DiffOptions): Promise<ToolPreview> {
  const diff = await unifiedDiff(change);
  if (diff === undefined) throw new AgentError('tool_failed', 'The change is too large to show.');
  return { type: 'edit', path: change.path, diff: diff.text, ...wholeTexts(change) };
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
