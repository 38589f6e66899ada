import type { CloudOperation, CloudQuery, CloudRequest, CloudResponse } from '@qwen/protocol/server';

export interface CloudCall<Operation extends CloudOperation> {
  /** Path parameters, '' if the path has none. The session id is the internal one. */
  readonly sessionId: string;
  readonly threadId: string;
  readonly approvalId: string;
  readonly query: CloudQuery<Operation>;
  readonly body: CloudRequest<Operation>;
  readonly lastEventId: string | undefined;
  /** The header `Idempotency-Key`. */
  readonly clientKey: string | undefined;
  /** Drops the connection. */
  readonly abandon: () => void;
}

/** Errors become error responses; a `Response` is sent unchanged. */
export type CloudHandler<Operation extends CloudOperation> = (
  call: CloudCall<Operation>,
) => Promise<CloudResponse<Operation> | Response>;

export type CloudHandlers = { readonly [Operation in CloudOperation]: CloudHandler<Operation> };

export type CloudHandlersOf<Operation extends CloudOperation> = Pick<CloudHandlers, Operation>;
