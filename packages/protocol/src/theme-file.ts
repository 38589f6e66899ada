import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { openObject } from './open-object.js';
import { THEME_TOKENS } from './openai/annotations.js';
import { THEMES } from './settings.js';

const COLOR =
  /^(?:#[\da-f]{3}|#[\da-f]{6}|default|gr[ae]y|(?:bright)?(?:black|red|green|yellow|blue|magenta|cyan|white))$/i;

const colorsSchema = lazySchema(() => {
  const problem = 'expected #rgb, #rrggbb, default, or a color of the terminal such as "cyan" or "brightCyan"';
  const color = z.optional(z.string().check(z.regex(COLOR, problem)));
  return z.strictObject(
    Object.fromEntries(THEME_TOKENS.map((token) => [token, color])) as Record<
      (typeof THEME_TOKENS)[number],
      typeof color
    >,
  );
});
/** Colors by token. Missing: the color of the base. */
export type ThemeColors = z.infer<typeof colorsSchema>;

/** A theme in `~/.qwen/themes/NAME.json`. */
export const themeFileSchema = lazySchema(() =>
  openObject({
    /** Provides the other colors. Default `auto`: dark or light, following the terminal. */
    base: z.optional(z.enum(THEMES)),
    colors: z.optional(colorsSchema),
    /** Take precedence over `colors` on a dark background. */
    dark: z.optional(colorsSchema),
    /** Take precedence over `colors` on a light background. */
    light: z.optional(colorsSchema),
  }),
);
export type ThemeFile = z.infer<typeof themeFileSchema>;
