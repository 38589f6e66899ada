import type { ControlHandlers, ControlPayload, ControlResult } from '@qwen/protocol';

export type InitializePayload = ControlPayload<'initialize'>;

/** What one controller adds to the answer to `initialize`. */
export type InitializePart = Partial<ControlResult<'initialize'>>;

/** One domain of the control channel. Adding one touches the list in control-service.ts and nothing else (N-07). */
export interface Controller {
  /** The requests of the app that it serves. */
  readonly handlers: Partial<ControlHandlers<'app'>>;
  /** Refuses its part of an `initialize` by throwing, before anybody has taken any of it. */
  checkInitialize?(payload: InitializePayload): void;
  /** Takes its part of an `initialize` that was accepted; called again for a further one. Must not throw. */
  onInitialize?(payload: InitializePayload): void;
  /** Its part of the answer to the `initialize` it took last; undefined when it has none. Never rejects. */
  answerInitialize?(): Promise<InitializePart> | undefined;
}
