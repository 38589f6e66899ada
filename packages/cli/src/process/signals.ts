import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Calls `onSignal` with the exit code for the first signal; a second one ends the process at once (F56). Returns the
 * undo.
 */
export function onEndingSignal(onSignal: (exitCode: number) => void): () => void {
  let hasCome = false;
  const listeners = SIGNALS.map((signal) => {
    const exitCode = 128 + constants.signals[signal];
    const listener = (): void => {
      if (hasCome) process.exit(exitCode);
      hasCome = true;
      onSignal(exitCode);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
  };
}
