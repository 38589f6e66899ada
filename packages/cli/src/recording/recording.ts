/** All calls are synchronous, in order, and never throw. */
export interface Recording {
  /** Without its line end. */
  input(line: string): void;
  /** Line ends included. */
  output(text: string): void;
}
