import { AgentError } from '@qwen/protocol';
import type { HintLine, HintRequest } from '@qwen/protocol/openai';
import type { HintAnswer } from './answers.js';

/** Text to complete. */
export interface HintQuestion {
  /** `slash` for commands, `at` for files. */
  readonly trigger: 'slash' | 'at';
  /** Text of the input box, including the trigger. */
  readonly text: string;
  /** Cursor position in UTF-16 code units. Default: the end. */
  readonly cursor?: number | undefined;
  /** Directory to search. Default: that of the session. */
  readonly cwd?: string | undefined;
  readonly selectedText?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Repeated in the answer. Default: a preview id of the session. */
  readonly promptId?: string | undefined;
}

export interface HintOptions {
  /** Aborting it ends the search and rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Receives partial answers, for example while files are indexed. Must not throw. */
  readonly onLoading?: ((answer: HintAnswer) => void) | undefined;
}

interface Pending {
  readonly request: HintRequest;
  readonly onLoading: ((answer: HintAnswer) => void) | undefined;
  readonly answer: PromiseWithResolvers<HintAnswer | undefined>;
}

export interface HintRequestsParts {
  /** Must not throw. */
  readonly send: (line: object) => void;
  /** Milliseconds until a request rejects with `timeout`; 0 disables it. */
  readonly timeoutMs: number;
}

/** Pending hint requests: only the latest per session and trigger. */
export class HintRequests {
  readonly #parts: HintRequestsParts;
  readonly #pending = new Map<string, Pending>();

  constructor(parts: HintRequestsParts) {
    this.#parts = parts;
  }

  /** Resolves with undefined if a newer request replaces it. */
  async request(request: HintRequest, { signal, onLoading }: HintOptions): Promise<HintAnswer | undefined> {
    if (signal?.aborted === true) throw cancelled();
    const key = keyOf(request);
    this.#pending.get(key)?.answer.resolve(undefined);
    const pending: Pending = { request, onLoading, answer: Promise.withResolvers() };
    this.#pending.set(key, pending);
    const { timeoutMs } = this.#parts;
    const expire = () =>
      pending.answer.reject(new AgentError('timeout', `The hint request was not answered within ${timeoutMs} ms.`));
    const timer = timeoutMs > 0 ? setTimeout(expire, timeoutMs) : undefined;
    const cancel = () => this.#cancel(pending);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#parts.send(request);
    try {
      return await pending.answer.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    }
  }

  /** Drops an answer to an older request: it is about another text. */
  accept(line: HintLine): void {
    const pending = [...this.#pending.values()].find(({ request }) => answers(line, request));
    if (pending === undefined) return;
    const answer = toAnswer(line);
    if (line.status === 'loading') pending.onLoading?.(answer);
    else pending.answer.resolve(answer);
  }

  rejectAll(error: AgentError): void {
    for (const { answer } of this.#pending.values()) answer.reject(error);
    this.#pending.clear();
  }

  #cancel({ request, answer }: Pending): void {
    const { session_id: sessionId, prompt_id: promptId, trigger } = request;
    answer.reject(cancelled());
    this.#parts.send({ type: 'command_hint_cancel', session_id: sessionId, prompt_id: promptId, trigger });
  }
}

function keyOf({ session_id: sessionId, trigger }: HintRequest): string {
  return JSON.stringify([sessionId, trigger]);
}

function answers(
  { session_id: sessionId, prompt_id: promptId, trigger, metadata }: HintLine,
  request: HintRequest,
): boolean {
  return (
    trigger === request.trigger &&
    (sessionId ?? request.session_id) === request.session_id &&
    (promptId ?? request.prompt_id) === request.prompt_id &&
    (metadata.text ?? request.text) === request.text &&
    (metadata.cursor ?? request.cursor) === request.cursor
  );
}

function toAnswer({ status, suggestions, metadata, message }: HintLine): HintAnswer {
  return { status, suggestions, isPerfectMatch: metadata.is_perfect_match, message };
}

function cancelled(): AgentError {
  return new AgentError('cancelled', 'The hint request was cancelled.');
}
