const POLL_MS = 2_000;
const HURRIED_POLL_MS = 50;

export interface ParentWatch {
  /** Checks more often from now on, e.g. after the input ended. */
  checkOften(): void;
  stop(): void;
}

/**
 * Calls `onGone` once when the parent process is gone. The end of stdin is not reliable: a sibling may hold the pipe
 * open, and a parent may close it and live on. Does not keep the process alive.
 */
export function watchParent(onGone: () => void): ParentWatch {
  const parent = process.ppid;
  const check = (): void => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  };
  const every = (periodMs: number) => setInterval(check, periodMs).unref();
  let timer = every(POLL_MS);
  return {
    checkOften: () => {
      clearInterval(timer);
      timer = every(HURRIED_POLL_MS);
    },
    stop: () => clearInterval(timer),
  };
}
