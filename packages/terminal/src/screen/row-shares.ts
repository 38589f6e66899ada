/** What wants rows below the finished lines. */
export interface RowWishes {
  /** Of the screen. */
  readonly rows: number;
  readonly hasTurn: boolean;
  readonly calls: number;
  readonly todos: number;
  readonly queued: number;
}

/** At most so many rows each. */
export interface RowShares {
  readonly composer: number;
  readonly status: number;
  readonly footer: number;
  readonly queued: number;
  readonly calls: number;
  readonly todos: number;
  readonly draft: number;
}

const QUEUED_ROWS = 3;
/** What a screen that becomes much lower pushes away above its top stays there, so the end of an answer never is high. */
const DRAFT_ROWS = 12;
const FOOTER_ROWS = 2;
/** Fewer rows than these have no room for what only decorates. */
const ROOMY_ROWS = 10;

/**
 * Parts the rows of the screen among what lives below the finished lines. Together they are always fewer than the screen
 * has: a live part as high as the screen would have to be drawn afresh as a whole, which flickers.
 */
export function shareRows({ rows, hasTurn, calls, todos, queued }: RowWishes): RowShares {
  let rest = Math.max(1, rows - 1);
  const take = (wanted: number): number => {
    const taken = Math.max(0, Math.min(wanted, rest));
    rest -= taken;
    return taken;
  };
  // While nothing runs nobody else needs the room that completions and long texts fill.
  const composer = take(Math.max(1, Math.floor(rows / (hasTurn ? 3 : 2))));
  const status = take(hasTurn && rows > 2 ? 1 : 0);
  const footer = take(rows < ROOMY_ROWS ? 0 : FOOTER_ROWS);
  const queuedShare = take(Math.min(queued, QUEUED_ROWS));
  const callShare = take(Math.min(calls, Math.ceil(rest / 2)));
  const todoShare = take(Math.min(todos, Math.floor(rest / 2)));
  return {
    composer,
    status,
    footer,
    queued: queuedShare,
    calls: callShare,
    todos: todoShare,
    draft: Math.min(rest, DRAFT_ROWS),
  };
}
