import type { ThemeToken } from '@qwen/protocol/openai';

/** `none` has no colours, though bold and underlined text; `ansi` has the sixteen that the terminal itself defines. */
export type ThemeName = 'dark' | 'light' | 'ansi' | 'none';

/** What the names of colours mean on a screen. */
export interface Theme {
  readonly name: ThemeName;
  /** An SGR parameter list such as `38;2;120;180;250` or `32` for each token; a missing one is the terminal's own colour. */
  readonly colours: Readonly<Partial<Record<ThemeToken, string>>>;
}
