import { setImmediate } from 'node:timers/promises';

/** Milliseconds until a process that cannot be stopped resumes, such as one without a job-control shell. */
const NOT_STOPPED_MS = 100;

/** Stops the process group like Ctrl-Z; resolves when it continues. */
export function stopJob(): Promise<void> {
  return new Promise((resolve) => {
    const resume = (): void => {
      clearTimeout(timer);
      process.off('SIGCONT', resume);
      resolve();
    };
    process.on('SIGCONT', resume);
    // Timers do not run while the process is stopped; this one has expired by then.
    const timer = setTimeout(resume, NOT_STOPPED_MS);
    // Signals the whole group; otherwise the parent waits for its children.
    process.kill(0, 'SIGTSTP');
  });
}

/**
 * A paused stream reads ahead, and would take keys from the program that has the terminal. Reading starts it again.
 * A stream whose `readable` listener was just removed starts to flow in the next tick; only a flowing one can be paused.
 */
export async function stopReading(): Promise<void> {
  await setImmediate();
  process.stdin.resume();
  await setImmediate();
  process.stdin.pause();
  await setImmediate();
}
