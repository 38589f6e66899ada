import type { ServerResponse } from 'node:http';

const CHECK_MS = 2000;

/** Responses in progress, such as streams, which end when their token or link is revoked or expires. */
export class OpenResponses {
  readonly #open = new Map<ServerResponse, () => Promise<boolean>>();
  #timer: NodeJS.Timeout | undefined;

  add(response: ServerResponse, isValid: () => Promise<boolean>): void {
    this.#open.set(response, isValid);
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= setInterval(() => this.#check(), CHECK_MS).unref();
  }

  /** Concurrently, so that a slow store delays no other check. */
  #check(): void {
    for (const [response, isValid] of this.#open) void destroyUnless(response, isValid);
  }
}

/** Nothing is known to be valid if the record cannot be read. */
async function destroyUnless(response: ServerResponse, isValid: () => Promise<boolean>): Promise<void> {
  if (!(await isValid().catch(() => false))) response.destroy();
}
