import { Text } from 'ink';
import type { ReactElement } from 'react';
import { paintLine } from '../theme/paint-line.js';
import { useTheme } from '../theme/theme-context.js';
import type { StyledLine } from './styled-line.js';

/** The lines must fit the width. */
export function Lines({ lines }: { readonly lines: readonly StyledLine[] }): ReactElement | null {
  const theme = useTheme();
  if (lines.length === 0) return null;
  // An empty text has no height.
  return <Text wrap="truncate">{lines.map((line) => paintLine(line, theme) || ' ').join('\n')}</Text>;
}
