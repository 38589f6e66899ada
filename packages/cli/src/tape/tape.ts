/** Hears what crosses the pipe of a session (L-10, GAP-56). All calls are synchronous, in order, and never throw. */
export interface Tape {
  /** A line of the host, as it came, without its line end. */
  input(line: string): void;
  /** Lines of the program, line ends included. */
  output(text: string): void;
}
