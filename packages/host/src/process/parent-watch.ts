const POLL_MS = 2_000;
const HURRIED_POLL_MS = 50;

export interface ParentWatch {
  /** Looks more often from now on: something says that the parent may be gone, e.g. the end of the input. */
  hurry(): void;
  stop(): void;
}

/**
 * Calls `onGone` once when the process that started us is no longer there. The end of stdin says so too, unless a
 * sibling inherited the pipe and holds it open (F37); on the other hand a parent may end our input and live on. Does
 * not keep the process alive.
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
    hurry: () => {
      clearInterval(timer);
      timer = every(HURRIED_POLL_MS);
    },
    stop: () => clearInterval(timer),
  };
}
