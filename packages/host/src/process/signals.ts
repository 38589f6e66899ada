import { constants } from 'node:os';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Calls `onSignal` with the exit code for the first signal; a second one exits at once. The first SIGINT calls
 * `cancel` and ends nothing if that stopped something. Returns a function that removes it.
 */
export function onEndingSignal(onSignal: (exitCode: number) => void, cancel: () => boolean = () => false): () => void {
  let hasCome = false;
  let hasCancelled = false;
  const listeners = SIGNALS.map((signal) => {
    const exitCode = 128 + constants.signals[signal];
    const listener = (): void => {
      if (signal === 'SIGINT' && !hasCancelled && !hasCome) {
        hasCancelled = cancel();
        if (hasCancelled) return;
      }
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
