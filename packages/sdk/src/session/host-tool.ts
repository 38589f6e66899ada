/** What a handler is told about the call beside its input. */
export interface HostToolContext {
  readonly callId: string;
  readonly sessionId: string;
  readonly promptId: string;
  /** Aborts when nobody waits for the result any more: the turn was stopped, the process or the session ended. */
  readonly signal: AbortSignal;
}

/**
 * A tool that the app runs itself (GAP-05). It is offered to the model with every prompt of the session, under the
 * permission rules of the CLI, and answered as soon as a call of it runs.
 */
export interface HostTool {
  /** What the model calls it: letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Runs one call. What it returns is what the model reads: a text, or anything that JSON can say. A throw is told to the
   * model as an error. Calls run beside each other. The input is an object; it is not held against `parameters`.
   */
  run(input: Record<string, unknown>, context: HostToolContext): unknown;
}
