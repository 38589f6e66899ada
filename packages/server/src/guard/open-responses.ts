import type { ServerResponse } from 'node:http';
import type { AccessTokens } from './access-tokens.js';

const CHECK_MS = 2000;

/** Responses in progress, such as streams, which end when their token is revoked or expires. */
export class OpenResponses {
  readonly #tokens: AccessTokens;
  /** The ID of the token of each response. */
  readonly #open = new Map<ServerResponse, string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(tokens: AccessTokens) {
    this.#tokens = tokens;
  }

  add(response: ServerResponse, tokenId: string): void {
    this.#open.set(response, tokenId);
    response.once('close', () => {
      this.#open.delete(response);
      if (this.#open.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    });
    this.#timer ??= setInterval(() => void this.#check(), CHECK_MS).unref();
  }

  async #check(): Promise<void> {
    // Nothing is known to be valid if the file cannot be read.
    const valid = await this.#tokens.validIds().catch(() => new Set<string>());
    for (const [response, id] of this.#open) if (!valid.has(id)) response.destroy();
  }
}
