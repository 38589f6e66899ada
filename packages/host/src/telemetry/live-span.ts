import { type Attributes, type Context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { AgentError } from '@qwen/protocol';
import { ERROR_TYPE } from './attributes.js';

/** A span that is open, and the context in which its children begin. Ends once; later ends change nothing. */
export class LiveSpan {
  readonly context: Context;
  readonly #span: Span;
  #isOver = false;

  constructor(span: Span, parent: Context) {
    this.#span = span;
    this.context = trace.setSpan(parent, span);
  }

  /** Something happened in it. */
  note(name: string, attributes: Attributes = {}): void {
    this.#span.addEvent(name, attributes);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** The name of it is known better by now. */
  rename(name: string): void {
    this.#span.updateName(name);
  }

  /** Failed for this reason: a stable word, never a text that may quote something. */
  fail(reason: AgentError['code'] | 'tool_failed' | 'permission_denied'): void {
    this.#span.setAttribute(ERROR_TYPE, reason);
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: reason });
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#span.end();
  }
}
