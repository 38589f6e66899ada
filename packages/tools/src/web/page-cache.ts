export interface Page {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly text: string;
  readonly redirect?: string;
  /** Whether it is worth keeping: errors and pages of private networks change soon. */
  readonly isLasting: boolean;
}

const MAX_AGE_MS = 15 * 60_000;
const MAX_PAGES = 50;
/** Length of all pages, in UTF-16 units. */
const MAX_LENGTH = 20_000_000;

/** Pages by the requested URL; the oldest ones leave first. */
export class PageCache {
  readonly #pages = new Map<string, { readonly page: Page; readonly untilMs: number }>();
  readonly #nowMs: () => number;
  #length = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  find({ href }: URL): Page | undefined {
    const known = this.#pages.get(href);
    if (known === undefined || known.untilMs > this.#nowMs()) return known?.page;
    this.#remove(href);
    return undefined;
  }

  keep({ href }: URL, page: Page): void {
    if (!page.isLasting) return;
    this.#remove(href);
    this.#pages.set(href, { page, untilMs: this.#nowMs() + MAX_AGE_MS });
    this.#length += page.text.length;
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= MAX_PAGES && this.#length <= MAX_LENGTH) break;
      this.#remove(oldest);
    }
  }

  #remove(href: string): void {
    this.#length -= this.#pages.get(href)?.page.text.length ?? 0;
    this.#pages.delete(href);
  }
}
