import type { AnsiItem, Span } from '@qwen/protocol/openai';

/** One palette for text mode and structured lines, so both look the same. */
const FOREGROUNDS: ReadonlyMap<string, number> = new Map([
  ['Gray', 90],
  ['AccentBlue', 34],
  ['AccentPurple', 35],
  ['AccentCyan', 36],
  ['AccentGreen', 32],
  ['AccentYellow', 33],
  ['AccentRed', 31],
  ['DiffAdded', 32],
  ['DiffRemoved', 31],
]);

const BOLD = 1;
const RESET = '\u001b[0m';

export function toAnsi(spans: readonly Span[]): AnsiItem[] {
  return spans.flatMap(({ start_index: start, end_index: end, style }) => {
    const foreground = FOREGROUNDS.get(style.theme_token ?? '');
    const codes = [...(style.bold === true ? [BOLD] : []), ...(foreground === undefined ? [] : [foreground])];
    if (codes.length === 0) return [];
    return [
      { offset: start, sequence: `\u001b[${codes.join(';')}m` },
      { offset: end, sequence: RESET },
    ];
  });
}

/** `ansi` is sorted by offset. */
export function paint(text: string, ansi: readonly AnsiItem[]): string {
  let painted = '';
  let done = 0;
  for (const { offset, sequence } of ansi) {
    painted += text.slice(done, offset) + sequence;
    done = offset;
  }
  return painted + text.slice(done);
}
