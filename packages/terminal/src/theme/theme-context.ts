import { createContext, useContext } from 'react';
import type { Theme } from './theme.js';
import { DARK } from './themes.js';

/** The theme of the screen, for every component below. */
export const ThemeContext = createContext<Theme>(DARK);

export function useTheme(): Theme {
  return useContext(ThemeContext);
}
