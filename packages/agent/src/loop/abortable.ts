export type Settled<T> = { readonly aborted: false; readonly value: T } | { readonly aborted: true };

/** A rejection after the abort is dropped. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<Settled<T>> {
  return new Promise((resolve, reject) => {
    const onAbort = () => resolve({ aborted: true });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    const leave = () => signal.removeEventListener('abort', onAbort);
    promise.then(
      (value) => {
        leave();
        resolve({ aborted: false, value });
      },
      (error: unknown) => {
        leave();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}

/** False on timeout. Never rejects. */
export async function settlesWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeIsUp = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, limitMs, false);
  });
  const settled = promise.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, timeIsUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** One abort listener for all steps, of which an answer has thousands. */
export class AbortableReader<T> implements Disposable {
  readonly #iterator: AsyncIterator<T>;
  readonly #signal: AbortSignal;
  #wake: ((settled: { aborted: true }) => void) | undefined;
  #isDone = false;

  constructor(source: AsyncIterable<T>, signal: AbortSignal) {
    this.#iterator = source[Symbol.asyncIterator]();
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  next(): Promise<Settled<T | undefined>> {
    if (this.#signal.aborted) return Promise.resolve({ aborted: true });
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      this.#iterator.next().then((step) => {
        this.#isDone = step.done === true;
        resolve({ aborted: false, value: step.done === true ? undefined : step.value });
      }, reject);
    });
  }

  /** Does not wait for the source, which may hang. */
  [Symbol.dispose](): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    if (this.#isDone) return;
    this.#iterator.return?.().then(
      () => {},
      () => {},
    );
  }

  readonly #onAbort = (): void => this.#wake?.({ aborted: true });
}
