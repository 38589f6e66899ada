/**
 * Sends what anybody else prints to stderr, so that stdout holds protocol only (A-16, HOUSE §4.24). The global
 * console and libraries look `process.stdout` up when they first write; from now on they find stderr there. Call it
 * before anything is printed, and after the writer took the real stdout. Holds until the process ends.
 */
export function guardStdout(): void {
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => process.stderr });
}
