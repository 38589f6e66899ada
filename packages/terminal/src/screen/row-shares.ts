export interface WantedRows {
  readonly rows: number;
  readonly hasTurn: boolean;
  readonly calls: number;
  readonly todos: number;
  readonly queued: number;
}

/** Maximum rows for each. */
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
/** Limited, because rows that a much lower screen pushes off the top stay in the scrollback. */
const DRAFT_ROWS = 12;
const FOOTER_ROWS = 2;
/** Fewer rows leave no room for decoration. */
const ROOMY_ROWS = 10;

/**
 * Divides the screen rows among the parts of the live area. Their sum is always below the screen height; at that
 * height Ink redraws everything and flickers.
 */
export function shareRows({ rows, hasTurn, calls, todos, queued }: WantedRows): RowShares {
  let rest = Math.max(1, rows - 1);
  const take = (wanted: number): number => {
    const taken = Math.max(0, Math.min(wanted, rest));
    rest -= taken;
    return taken;
  };
  // When idle, completions and long texts may use more rows.
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
