import { constants } from 'node:os';

/** The name of the signal that an exit code of a shell stands for, as in 137 for SIGKILL; undefined for others. */
export function signalOfExitCode(exitCode: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
}
