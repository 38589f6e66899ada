const POLL_MS = 2_000;

export interface ParentWatch {
  /** Looks now instead of at the next poll, e.g. when the input has ended. */
  check(): void;
  stop(): void;
}

/**
 * Calls `onGone` once when the process that started us is no longer there. The end of stdin says so too, unless a
 * sibling inherited the pipe and holds it open (F37). Does not keep the process alive.
 */
export function watchParent(onGone: () => void): ParentWatch {
  const parent = process.ppid;
  const check = (): void => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  };
  const timer = setInterval(check, POLL_MS);
  timer.unref();
  return { check, stop: () => clearInterval(timer) };
}
