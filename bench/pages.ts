import type { Figure } from './harness/figure.ts';
import { toCells, toRatio, toValue } from './harness/table.ts';

/** A row of the README: what was measured, the name of the figure, its bench. */
export const README_ROWS = [
  ['spawn to first line', 'spawn to first line', 'cold-start'],
  ['app start, through `query()`, to `init`', 'app: query() to init', 'sdk-cold-start'],
  ['the same, with a CLI from a pool that started it in advance', 'warm query() to init', 'warm-query'],
  ['control request round trip', 'interrupt() p50', 'control-round-trip'],
  ['tool call into your process, per turn', 'in-process tool, added per turn', 'tool-round-trip'],
  ['20,000 deltas through `query()`', '20000 deltas, wall', 'deltas'],
  ['latency of a delta, from the model to your loop', 'delta at a 5 ms pace p50', 'delta-latency'],
  ['20,000 deltas as JSON lines', '20000 chunk lines, wall', 'chunk-lines'],
  ['a turn after 10,000 turns in one process', 'turn p50, last 500', 'soak'],
  ['16 concurrent sessions, one turn each', '16 sessions at once', 'sessions'],
  ['`qwen` in a terminal, to the first key on screen', 'spawn to a key on the screen', 'terminal'],
  ['key to screen while 50,000 lines stream, p99', 'key to screen while lines stream p99', 'terminal'],
  ['events from `qwen serve` to 200 readers of 32 turns', 'deliveries while turns run', 'server'],
  ['memory of the agent during a turn', 'peak memory of the CLI tree, one turn', 'memory'],
  ['install size of `@qwen/sdk` with the CLI', '@qwen/sdk installed, CLI included', 'install-size'],
] as const;

export function toPageTable(figures: readonly Figure[]): string {
  return toMarkdown(['figure', 'value', 'baseline', 'ratio', 'target', ''], figures.map(toCells));
}

/** Throws if a row has no figure. */
export function toReadmeTable(figures: readonly Figure[]): string {
  const rows = README_ROWS.map(([label, name, bench]) => {
    const figure = figures.find((one) => one.name === name);
    if (figure === undefined) throw new Error(`No figure "${name}". Run all benches.`);
    const { baseline } = figure;
    const compared = baseline === undefined ? '' : `${toRatio(figure)} ${baseline.name.replace('node -e 0', '`$&`')}`;
    return [label, toValue(figure), compared, `\`bench ${bench}\``];
  });
  return toMarkdown(['measurement', 'value', 'baseline', 'script'], rows);
}

const START = '<!-- printed by `node bench/write-docs.ts`; do not edit -->\n\n';
const END = '\n\n<!-- end -->';

/** Throws for a page without the two comments. */
export function replaceBlock(page: string, block: string): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END, start);
  if (start === -1 || end === -1) throw new Error(`The page has no ${START.trim()} … ${END.trim()}`);
  return page.slice(0, start) + START + block + page.slice(end);
}

function toMarkdown(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
