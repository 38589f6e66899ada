export interface Coalesced {
  /** Runs once after `delayMs`, never concurrently. */
  request(): void;
  stop(): void;
}

/** `work` must not reject. */
export function coalesce(work: () => Promise<void>, delayMs: number): Coalesced {
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isWanted = false;
  let isStopped = false;
  const run = async () => {
    timer = undefined;
    isRunning = true;
    isWanted = false;
    await work();
    isRunning = false;
    if (isWanted) request();
  };
  const request = () => {
    if (isStopped) return;
    isWanted = true;
    if (isRunning || timer !== undefined) return;
    timer = setTimeout(() => void run(), delayMs);
    timer.unref();
  };
  return {
    request,
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
