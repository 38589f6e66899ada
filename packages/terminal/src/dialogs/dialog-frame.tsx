import { Box, Text, useIsScreenReaderEnabled } from 'ink';
import type { ReactNode } from 'react';
import { Lines } from '../lines/lines-view.js';
import type { StyledLine } from '../lines/styled-line.js';

interface DialogFrameProps {
  readonly title: string;
  readonly keys: string;
  readonly columns: number;
  readonly children: ReactNode;
}

export const FRAME_ROWS = 4;
export const FRAME_COLUMNS = 4;

/** Screen readers get plain text without a border. */
export function DialogFrame({ title, keys, columns, children }: DialogFrameProps): ReactNode {
  const head: StyledLine = [{ text: title, bold: true, token: 'AccentBlue' }];
  const foot: StyledLine = [{ text: keys, token: 'Gray' }];
  if (useIsScreenReaderEnabled()) {
    return (
      <Box flexDirection="column">
        <Text>{title}</Text>
        {children}
        <Text>{keys}</Text>
      </Box>
    );
  }
  return (
    <Box flexDirection="column" borderStyle="round" borderDimColor paddingX={1} width={columns}>
      <Lines lines={[head]} />
      {children}
      <Lines lines={[foot]} />
    </Box>
  );
}
