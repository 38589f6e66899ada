/** A process that cannot be stopped, as one that no shell watches, goes on after this time, in milliseconds. */
const NOT_STOPPED_MS = 100;

/** Stops the job that we belong to, as Ctrl-Z does; resolves once somebody lets it go on. */
export function stopJob(): Promise<void> {
  return new Promise((resolve) => {
    const goOn = (): void => {
      clearTimeout(timer);
      process.off('SIGCONT', goOn);
      resolve();
    };
    process.on('SIGCONT', goOn);
    // It does not run while we are stopped, and is over by then.
    const timer = setTimeout(goOn, NOT_STOPPED_MS);
    // All of the job: who started us waits for its children otherwise.
    process.kill(0, 'SIGTSTP');
  });
}
