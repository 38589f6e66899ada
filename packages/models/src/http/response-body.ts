import { AgentError } from '@qwen/protocol';
import { createParser } from 'eventsource-parser';
import type { ModelClock } from '../clock.js';
import { cutText, readProblem } from './error-text.js';
import type { HttpResponse } from './send-request.js';
import { toStreamError } from './status-error.js';

/** In UTF-16 units. */
const MAX_EVENT_LENGTH = 32 * 1024 * 1024;
/** Of the text that is kept for errors. */
const BEGINNING_LENGTH = 4_096;
/** In milliseconds. */
const LINGER_MS = 1_000;

/** Servers and proxies label streams and pages wrongly, so the first character decides. */
type Form = 'unknown' | 'events' | 'whole';

/**
 * Reads a body as batches of event payloads, one per network read. A JSON response is one batch. The caller must
 * call {@link release}.
 */
export class ResponseBody {
  readonly #response: HttpResponse;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();
  readonly #parser;
  #form: Form = 'unknown';
  #payloads: string[] = [];
  #text = '';
  #beginning = '';
  #tooLong = false;
  #ended = false;

  constructor(response: HttpResponse) {
    this.#response = response;
    this.#chunks = response.body[Symbol.asyncIterator]();
    this.#parser = createParser({
      maxBufferSize: MAX_EVENT_LENGTH,
      onEvent: ({ data }) => {
        const payload = data.trim();
        if (!KEEP_ALIVE.test(payload)) this.#payloads.push(...separated(payload));
      },
      onError: ({ type }) => {
        this.#tooLong ||= type === 'max-buffer-size-exceeded';
      },
    });
  }

  /** Undefined at the end. Rejects if the connection breaks, and with `bad_model_response`. */
  async read(): Promise<readonly string[] | undefined> {
    const { done, value } = await this.#chunks.next();
    if (done) {
      if (this.#ended) return undefined;
      this.#ended = true;
      return this.#text === '' ? this.#takeLast() : this.#takeWhole();
    }
    const text = this.#decoder.decode(value, { stream: true });
    if (this.#beginning.length < BEGINNING_LENGTH) this.#beginning += text.slice(0, BEGINNING_LENGTH);
    if (this.#form === 'unknown') this.#form = formOf(text);
    if (this.#form === 'whole') this.#collect(text);
    else this.#parser.feed(text);
    if (this.#tooLong) throw tooLong();
    const batch = this.#payloads;
    if (batch.length > 0) this.#payloads = [];
    return batch;
  }

  /** What the body contains instead of an answer; undefined if it contains events. */
  problem(): AgentError | undefined {
    const { status } = this.#response;
    const text = this.#beginning.replaceAll(/^:.*$/gm, '').trim();
    const nothing = `The provider returned ${status} without an answer`;
    if (text === '') return new AgentError('stream_interrupted', `${nothing}.`, { data: { willRepeat: true } });
    if (this.#form === 'whole') return new AgentError('stream_interrupted', `${nothing}: ${cutText(text)}`);
    return /^(?:data|event|id|retry)\b/m.test(text) ? undefined : toStreamError(text);
  }

  /** Keeps the connection for reuse if the body ends soon. Returns immediately. */
  release(clock: ModelClock): void {
    if (this.#ended) return;
    const close = () => this.#response.close();
    const cancelTimer = clock.startTimer(LINGER_MS, close);
    this.#chunks.next().then(close, close).finally(cancelTimer);
  }

  /** Some servers leave out the empty line after the last event. Half an event is no event. */
  #takeLast(): readonly string[] | undefined {
    this.#parser.feed('\n\n');
    const last = this.#payloads.filter(isWhole);
    this.#payloads = [];
    return last.length === 0 ? undefined : last;
  }

  #collect(text: string): void {
    this.#text += text;
    this.#tooLong = this.#text.length > MAX_EVENT_LENGTH;
  }

  #takeWhole(): readonly string[] {
    const text = this.#text;
    this.#text = '';
    if (!text.trimStart().startsWith('<')) return separated(text);
    throw new AgentError(
      'bad_model_response',
      `Expected a model response, received ${readProblem(text).message}. Check the base URL.`,
      { data: { permanent: true } },
    );
  }
}

/** Of gateways; a payload is an object. */
const KEEP_ALIVE = /^(?:null|true|false|-?\d+|"[^"\\]*"|\{\}|)$/;

/** Some servers leave out the empty lines between events, or send only the JSON of each on a line. */
function separated(text: string): readonly string[] {
  if (!text.includes('\n') || isWhole(text)) return [text];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, -1).every(isWhole) ? lines.filter(isWhole) : [text];
}

function isWhole(payload: string): boolean {
  if (payload === '[DONE]') return true;
  try {
    JSON.parse(payload);
    return true;
  } catch {
    return false;
  }
}

function tooLong(): AgentError {
  return new AgentError('bad_model_response', 'The provider sent an event of more than 32 MiB.', {
    data: { permanent: true },
  });
}

function formOf(text: string): Form {
  const first = text.trimStart()[0];
  if (first === undefined) return 'unknown';
  return first === '{' || first === '[' || first === '<' ? 'whole' : 'events';
}
