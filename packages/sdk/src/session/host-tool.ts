export interface HostToolContext {
  readonly callId: string;
  readonly sessionId: string;
  readonly promptId: string;
  /** Aborts when the result is no longer needed: the turn was cancelled, or the process or session ended. */
  readonly signal: AbortSignal;
}

/** A tool that the app runs. It is offered with every prompt of the session, under the CLI's permission rules. */
export interface HostTool {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the input, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Runs one call and returns text or a JSON value for the model, which also receives thrown errors. Calls may
   * overlap. The input is an object, not validated against `parameters`.
   */
  run(input: Record<string, unknown>, context: HostToolContext): unknown;
}
