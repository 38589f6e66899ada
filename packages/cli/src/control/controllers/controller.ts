import type { ControlHandlers, ControlPayload, ControlResult } from '@qwen/protocol';

export type InitializePayload = ControlPayload<'initialize'>;

export type InitializePart = Partial<ControlResult<'initialize'>>;

/** One domain of the control channel, registered in control-service.ts. */
export interface Controller {
  readonly handlers: Partial<ControlHandlers<'app'>>;
  /** Rejects an `initialize` by throwing, before any controller applies it. */
  checkInitialize?(payload: InitializePayload): void;
  /** Called for each accepted `initialize`. Must not throw. */
  onInitialize?(payload: InitializePayload): void;
  /** Undefined if it adds nothing. Never rejects. */
  answerInitialize?(): Promise<InitializePart> | undefined;
}
