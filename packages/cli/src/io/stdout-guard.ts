/**
 * Redirects `process.stdout` to stderr, so that stdout carries only the protocol. Call it after the writer took the
 * real stdout. Permanent.
 */
export function guardStdout(): void {
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => process.stderr });
}
