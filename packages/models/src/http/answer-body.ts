import { AgentError } from '@qwen/protocol';
import { createParser } from 'eventsource-parser';
import type { ModelClock } from '../clock.js';
import { readProblem } from './error-text.js';
import type { HttpAnswer } from './send-request.js';

/** The longest single event, in UTF-16 units; a longer one is no answer but an attack on our memory (F80). */
const MAX_EVENT_LENGTH = 32 * 1024 * 1024;
/** How long a finished answer may keep its connection open before we cut it, in milliseconds. */
const LINGER_MS = 1_000;

/**
 * The body of a streamed answer as batches of event payloads: one batch for each read of the network, empty when the
 * read brought no whole event. An endpoint that answers with one JSON document instead gives one batch of one.
 * Whoever opens it calls {@link release}.
 */
export class AnswerBody {
  readonly #answer: HttpAnswer;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #isWhole: boolean;
  readonly #parser;
  #payloads: string[] = [];
  #text = '';
  #tooLong = false;
  #ended = false;

  constructor(answer: HttpAnswer) {
    this.#answer = answer;
    this.#chunks = answer.body[Symbol.asyncIterator]();
    this.#isWhole = /^(application\/json|text\/html)/i.test(answer.header('content-type') ?? '');
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_LENGTH,
      onEvent: ({ data }) => {
        if (data !== '') this.#payloads.push(data);
      },
      onError: ({ type }) => {
        this.#tooLong ||= type === 'max-buffer-size-exceeded';
      },
    });
  }

  /** The next batch; undefined at the end. Rejects when the connection breaks; `bad_model_response` for HTML and for an endless event. */
  async read(): Promise<readonly string[] | undefined> {
    const { done, value } = await this.#chunks.next();
    if (done) {
      this.#ended = true;
      return this.#text === '' ? undefined : this.#takeWhole();
    }
    const text = this.#decoder.decode(value, { stream: true });
    if (this.#isWhole) this.#collect(text);
    else this.#parser.feed(text);
    if (this.#tooLong) throw new AgentError('bad_model_response', 'The provider sent an event without an end.');
    const batch = this.#payloads;
    if (batch.length > 0) this.#payloads = [];
    return batch;
  }

  /**
   * Lets go of the connection. A body that is about to end is read to its end, so that the connection can serve the
   * next request; `clock` bounds that. Returns at once.
   */
  release(clock: ModelClock): void {
    if (this.#ended) return;
    const close = () => this.#answer.close();
    const cancelTimer = clock.startTimer(LINGER_MS, close);
    this.#chunks.next().then(close, close).finally(cancelTimer);
  }

  #collect(text: string): void {
    this.#text += text;
    this.#tooLong = this.#text.length > MAX_EVENT_LENGTH;
  }

  #takeWhole(): readonly string[] {
    const text = this.#text;
    this.#text = '';
    if (!text.trimStart().startsWith('<')) return [text];
    throw new AgentError('bad_model_response', `The endpoint is not a model: ${readProblem(text).message}`);
  }
}
