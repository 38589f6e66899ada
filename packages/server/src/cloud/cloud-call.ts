import type { CloudAnswer, CloudOperation, CloudQuery, CloudRequest } from '@qwen/protocol/server';

/** One request, as its handler sees it. */
export interface CloudCall<Operation extends CloudOperation> {
  /** Of the path; the server's own id of the session, and empty where the path has none. */
  readonly sessionId: string;
  readonly threadId: string;
  readonly approvalId: string;
  readonly query: CloudQuery<Operation>;
  readonly body: CloudRequest<Operation>;
  /** The header `Last-Event-ID`. */
  readonly lastEventId: string | undefined;
  /** The header `Idempotency-Key`: the same again is the same turn (F129). */
  readonly clientKey: string | undefined;
  /** Drops the connection. */
  readonly abandon: () => void;
}

/** Serves one operation. What it throws becomes the answer; a `Response` goes out as it is. */
export type CloudHandler<Operation extends CloudOperation> = (
  call: CloudCall<Operation>,
) => Promise<CloudAnswer<Operation> | Response>;

/** One handler an operation: a missing one does not compile. */
export type CloudHandlers = { readonly [Operation in CloudOperation]: CloudHandler<Operation> };

/** Those of some operations. */
export type CloudHandlersOf<Operation extends CloudOperation> = Pick<CloudHandlers, Operation>;
