/** One complete command of normal or visual mode. */
export interface VimCommand {
  /** Undefined if none was typed. */
  readonly count?: number;
  readonly operator?: string;
  /** The operator was typed twice, as in `dd`. */
  readonly isWholeLine?: boolean;
  readonly object?: string;
  readonly motion?: string;
  /** The character after `f`, `F`, `t`, `T` or `r`. */
  readonly wanted?: string;
  readonly action?: string;
}

const COUNT = String.raw`(?<count>[1-9]\d*)?`;
const MOTION = String.raw`(?<motion>[hjklwWbBeE0^$G{}%;,]|gg|(?<find>[fFtT])(?<wanted>.))`;
const OBJECT = String.raw`(?<object>[ia][wWbB"'${'`'}()[\]{}<>])`;
const OPERATOR = String.raw`(?<operator>[dcy]|g[uU~])(?<more>[1-9]\d*)?`;

const OPERATION = new RegExp(`^${COUNT}${OPERATOR}(?:(?<twice>[dcy])|${OBJECT}|${MOTION})$`, 'su');
const MOVE = new RegExp(`^${COUNT}${MOTION}$`, 'su');
const ACTION = new RegExp(`^${COUNT}(?:(?<action>[iaIAoOxXsSDCYpPuJ~.vV])|(?<action2>r)(?<wanted>.))$`, 'su');
const INCOMPLETE = /^(?:[1-9]\d*)?(?:(?:[dcy]|g[uU~])(?:[1-9]\d*)?[ia]?)?[gfFtTr]?$/u;

const VISUAL_OBJECT = new RegExp(`^${COUNT}${OBJECT}$`, 'su');
const VISUAL_ACTION = new RegExp(`^${COUNT}(?:(?<action>[dxcsyuU~Jpo]|[vV])|(?<action2>r)(?<wanted>.))$`, 'su');
const VISUAL_INCOMPLETE = /^(?:[1-9]\d*)?[iagfFtTr]?$/u;

type Reading = VimCommand | 'incomplete' | 'unknown';

export function readCommand(keys: string): Reading {
  return read(keys, [ACTION, MOVE, OPERATION]) ?? (INCOMPLETE.test(keys) ? 'incomplete' : 'unknown');
}

export function readVisualCommand(keys: string): Reading {
  const known = read(keys, [VISUAL_ACTION, MOVE, VISUAL_OBJECT]);
  return known ?? (VISUAL_INCOMPLETE.test(keys) ? 'incomplete' : 'unknown');
}

function read(keys: string, patterns: readonly RegExp[]): VimCommand | undefined {
  for (const pattern of patterns) {
    const { groups } = pattern.exec(keys) ?? {};
    if (groups === undefined) continue;
    const { count, more, operator, twice, object, find, motion, wanted, action = groups['action2'] } = groups;
    if (twice !== undefined && twice !== operator) continue;
    const total = count === undefined && more === undefined ? undefined : Number(count ?? 1) * Number(more ?? 1);
    return {
      ...(total !== undefined && { count: total }),
      ...(operator !== undefined && { operator }),
      ...(twice !== undefined && { isWholeLine: true }),
      ...(object !== undefined && { object }),
      ...(motion !== undefined && { motion: find ?? motion }),
      ...(wanted !== undefined && { wanted }),
      ...(action !== undefined && { action }),
    };
  }
  return undefined;
}

const MAX_COUNT = 1_000;

export function countOf({ count = 1 }: Pick<VimCommand, 'count'>): number {
  return Math.min(count, MAX_COUNT);
}
