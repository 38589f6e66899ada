import { type AgentError, type ControlFrame, type DecodedLine, readFrame, type SDKMessage } from '@qwen/protocol';

/** Where lines go. None of these may wait or throw. */
export interface QueryRouterOptions {
  readonly onControl: (frame: ControlFrame) => void;
  /** `bytes` is the length of the line. */
  readonly onMessage: (message: SDKMessage, bytes: number) => void;
  /** A line that cannot be read; it is skipped (GAP-54). */
  readonly onProblem: (error: AgentError) => void;
}

/**
 * Sorts the lines of the CLI: control lines to the peer, everything else to the stream (O-26 … O-29). It is
 * synchronous from end to end, so that no callback of the app can hold up a line (HOUSE §4.2).
 */
export class QueryRouter {
  readonly #options: QueryRouterOptions;

  constructor(options: QueryRouterOptions) {
    this.#options = options;
  }

  accept(line: DecodedLine): void {
    if (!line.ok) {
      this.#options.onProblem(line.error);
      return;
    }
    const frame = readFrame(line.text);
    switch (frame.kind) {
      case 'control':
        this.#options.onControl(frame.frame);
        return;
      case 'message':
        this.#options.onMessage(frame.message, line.text.length);
        return;
      case 'unknown':
        // A newer CLI says more than our types know: the app gets it as it came (F12).
        this.#options.onMessage(frame.value as SDKMessage, line.text.length);
        return;
      case 'invalid':
        this.#options.onProblem(frame.error);
        return;
    }
  }
}
