import { Box } from 'ink';
import type { ReactNode } from 'react';
import { useKeys } from '../use-keys.js';
import { useAnswerGuard } from './choice/answer-guard.js';
import { ListPage } from './pages/list-page.js';

export type TrustDecision = 'trust' | 'skip' | 'leave';

interface TrustScreenProps {
  /** One per line; a list that is too long is printed above. */
  readonly lines: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly onDecide: (decision: TrustDecision) => void;
}

/** Asks before the settings of an untrusted folder take effect. */
export function TrustScreen({ lines, columns, rows, onDecide }: TrustScreenProps): ReactNode {
  const guard = useAnswerGuard();
  useKeys({
    onKey: (input, key) => {
      if (key.ctrl && input === 'c') onDecide('leave');
    },
  });
  return (
    <Box flexDirection="column">
      <ListPage
        title="This folder contains settings that can run commands. Do you trust it?"
        notes={lines.map((text) => [{ text }])}
        choices={[
          { value: 'skip' as const, label: 'No, continue without them' },
          { value: 'trust' as const, label: 'Yes, trust the current content', detail: 'asks again after a change' },
          { value: 'leave' as const, label: 'Quit' },
        ]}
        guard={guard}
        columns={columns}
        rows={rows}
        escape="quit"
        onChoose={onDecide}
        onCancel={() => onDecide('leave')}
      />
    </Box>
  );
}
