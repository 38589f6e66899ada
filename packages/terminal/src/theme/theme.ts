import type { ThemeToken } from '@qwen/protocol/openai';

/** `none` keeps bold and underline; `ansi` uses the terminal's sixteen colours. */
export type BuiltInTheme = 'dark' | 'light' | 'ansi' | 'none';

export interface Theme {
  readonly name: string;
  /** SGR parameters such as `38;2;120;180;250` per token; missing: the terminal's default. */
  readonly colours: Readonly<Partial<Record<ThemeToken, string>>>;
}
