import { AgentError, createDeferred, type Deferred } from '@qwen/protocol';
import type { HintLine, HintRequest } from '@qwen/protocol/openai';
import type { HintAnswer } from './answers.js';

/** What was typed. */
export interface HintQuestion {
  /** `slash` for commands, `at` for files. */
  readonly trigger: 'slash' | 'at';
  /** What stands in the input box, the trigger included. */
  readonly text: string;
  /** Where the cursor is in it, in UTF-16 units. Default: behind the text. */
  readonly cursor?: number | undefined;
  /** The folder that is searched. Default: that of the session. */
  readonly cwd?: string | undefined;
  readonly selectedText?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Comes back on the line of the answer. Default: a preview id of the session (CF-28). */
  readonly promptId?: string | undefined;
}

export interface HintOptions {
  /** Aborting it ends the search; the promise rejects with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** The answer is still prepared, as while files are indexed; what is known so far. Must not throw. */
  readonly onLoading?: ((answer: HintAnswer) => void) | undefined;
}

interface Asked {
  readonly request: HintRequest;
  readonly onLoading: ((answer: HintAnswer) => void) | undefined;
  readonly answer: Deferred<HintAnswer | undefined>;
}

export interface HintDeskParts {
  /** Sends a line. Must not throw. */
  readonly send: (line: object) => void;
  /** Milliseconds until a question that nobody answers rejects with `timeout`; 0 means for ever. */
  readonly timeoutMs: number;
}

/** Questions of input boxes: of each session and trigger only the newest one waits (G-09). */
export class HintDesk {
  readonly #parts: HintDeskParts;
  readonly #asked = new Map<string, Asked>();

  constructor(parts: HintDeskParts) {
    this.#parts = parts;
  }

  /** Asks. Undefined means that a newer question took its place. */
  async ask(request: HintRequest, { signal, onLoading }: HintOptions): Promise<HintAnswer | undefined> {
    if (signal?.aborted === true) throw withdrawn();
    const box = boxOf(request);
    this.#asked.get(box)?.answer.resolve(undefined);
    const asked: Asked = { request, onLoading, answer: createDeferred() };
    this.#asked.set(box, asked);
    const { timeoutMs } = this.#parts;
    const late = () => asked.answer.reject(new AgentError('timeout', `No hint came within ${timeoutMs} ms.`));
    const timer = timeoutMs > 0 ? setTimeout(late, timeoutMs) : undefined;
    const withdraw = () => this.#withdraw(asked);
    signal?.addEventListener('abort', withdraw, { once: true });
    this.#parts.send(request);
    try {
      return await asked.answer.promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', withdraw);
      if (this.#asked.get(box) === asked) this.#asked.delete(box);
    }
  }

  /** Takes an answer. One to an older question is dropped: it speaks of a text that is no longer there (GAP-31). */
  take(line: HintLine): void {
    const asked = [...this.#asked.values()].find(({ request }) => answers(line, request));
    if (asked === undefined) return;
    const answer = toAnswer(line);
    if (line.status === 'loading') asked.onLoading?.(answer);
    else asked.answer.resolve(answer);
  }

  rejectAll(error: AgentError): void {
    for (const { answer } of this.#asked.values()) answer.reject(error);
    this.#asked.clear();
  }

  #withdraw({ request, answer }: Asked): void {
    const { session_id: sessionId, prompt_id: promptId, trigger } = request;
    answer.reject(withdrawn());
    this.#parts.send({ type: 'command_hint_cancel', session_id: sessionId, prompt_id: promptId, trigger });
  }
}

/** A CLI keeps commands and files of each session apart, and nothing else. */
function boxOf({ session_id: sessionId, trigger }: HintRequest): string {
  return JSON.stringify([sessionId, trigger]);
}

/** Where the answer repeats what was asked, it must be what was asked. */
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

function withdrawn(): AgentError {
  return new AgentError('cancelled', 'The search for hints was ended.');
}
