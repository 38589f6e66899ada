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

/** A paused stream reads ahead, and would take keys from the program that has the terminal. Reading starts it again. */
export function stopReading(): void {
  process.stdin.resume();
  process.stdin.pause();
}
