import { basename } from 'node:path';
import type { PermissionMode, SandboxMode } from '@qwen/protocol';
import type { ThemeToken } from '@qwen/protocol/openai';
import { toShownInOne } from '../lines/shown-text.js';
import type { Segment, StyledLine } from '../lines/styled-line.js';
import { lineWidth } from '../lines/text-width.js';
import { cutLine } from '../lines/wrap-line.js';
import { toMoney, toTokens } from '../transcript/figures.js';

export interface FooterState {
  readonly cwd: string;
  readonly branch: string | undefined;
  readonly model: string;
  readonly permissionMode: PermissionMode;
  readonly context: { readonly usedTokens: number; readonly windowTokens?: number } | undefined;
  readonly costUsd?: number | undefined;
  readonly brokenServers: readonly string[];
  /** Undefined: it is off, or the session has not started. */
  readonly sandbox?: SandboxMode | 'unavailable' | undefined;
  /** Commands in the background. */
  readonly running?: number | undefined;
  readonly hint: string | undefined;
  readonly changeModeKey?: string | undefined;
}

const MODES: Readonly<Record<PermissionMode, { readonly text: string; readonly token: ThemeToken }>> = {
  default: { text: 'asks before changes', token: 'Gray' },
  plan: { text: 'plan mode', token: 'AccentBlue' },
  'auto-edit': { text: 'auto-accept edits', token: 'AccentYellow' },
  yolo: { text: 'runs everything without asking', token: 'AccentRed' },
};

/** Above this share of the context, compaction is near. */
const NEARLY_FULL = 0.7;

/** Notices first, then the location. */
export function footerRows(
  facts: FooterState,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly StyledLine[] {
  const { hint, permissionMode, brokenServers, changeModeKey } = facts;
  const change = changeModeKey === undefined ? '' : ` · ${changeModeKey}: change`;
  const mode = MODES[permissionMode];
  const trouble: Segment[] =
    brokenServers.length === 0
      ? []
      : [{ text: ` · MCP: ${toShownInOne(brokenServers.join(', '))} not connected, see /mcp`, token: 'AccentRed' }];
  const first: StyledLine =
    hint === undefined
      ? [mode, ...sandboxOf(facts), ...tasksOf(facts), { text: `${change} · ?: shortcuts`, token: 'Gray' }, ...trouble]
      : [{ text: toShownInOne(hint), token: 'AccentYellow' }];
  return [first, placeLine(facts, columns)].slice(0, rows).map((line) => cutLine(line, columns));
}

function sandboxOf({ sandbox }: FooterState): StyledLine {
  if (sandbox === undefined) return [];
  if (sandbox === 'unavailable') return [{ text: ' · no sandbox', token: 'AccentYellow' }];
  return [{ text: ` · sandbox: ${sandbox}`, token: 'Gray' }];
}

function tasksOf({ running = 0 }: FooterState): StyledLine {
  if (running === 0) return [];
  return [{ text: ` · ${running} in the background, see /tasks`, token: 'AccentBlue' }];
}

function placeLine({ cwd, branch, model, context, costUsd }: FooterState, columns: number): StyledLine {
  const place = branch === undefined ? basename(cwd) : `${basename(cwd)} (${branch})`;
  const left: StyledLine = [{ text: `${toShownInOne(place)} · ${toShownInOne(model)}`, token: 'Gray' }];
  const cost: StyledLine = costUsd === undefined ? [] : [{ text: toMoney(costUsd), token: 'Gray' }];
  const meter = context === undefined ? [] : [meterOf(context)];
  const dot: StyledLine = cost.length > 0 && meter.length > 0 ? [{ text: ' · ', token: 'Gray' }] : [];
  const right = [...cost, ...dot, ...meter];
  const gap = columns - lineWidth(left) - lineWidth(right);
  return gap < 2 ? left : [...left, { text: ' '.repeat(gap) }, ...right];
}

function meterOf({ usedTokens, windowTokens }: NonNullable<FooterState['context']>): Segment {
  if (windowTokens === undefined) return { text: `context ${toTokens(usedTokens)}`, token: 'Gray' };
  const share = usedTokens / windowTokens;
  return { text: `context ${Math.round(share * 100)}%`, token: share > NEARLY_FULL ? 'AccentYellow' : 'Gray' };
}
