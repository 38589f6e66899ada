import { createContext, useContext } from 'react';
import type { Theme } from './theme.js';
import { DARK } from './themes.js';

export const ThemeContext = createContext<Theme>(DARK);

export function useTheme(): Theme {
  return useContext(ThemeContext);
}
