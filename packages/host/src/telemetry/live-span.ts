import { type Attributes, type Context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { AgentError } from '@qwen/protocol';
import { ERROR_TYPE } from './attributes.js';

/** Ends once; later ends have no effect. */
export class LiveSpan {
  readonly context: Context;
  readonly #span: Span;
  readonly #onEnd: (error: string | undefined) => void;
  #error: string | undefined;
  #isOver = false;

  /** `onEnd` receives the reason of a failure. */
  constructor(span: Span, parent: Context, onEnd: (error: string | undefined) => void = () => undefined) {
    this.#span = span;
    this.#onEnd = onEnd;
    this.context = trace.setSpan(parent, span);
  }

  note(name: string, attributes: Attributes = {}): void {
    this.#span.addEvent(name, attributes);
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Sets the final name. */
  rename(name: string): void {
    this.#span.updateName(name);
  }

  /** `reason` is never free text. */
  fail(reason: AgentError['code'] | 'tool_failed' | 'permission_denied'): void {
    this.#error = reason;
    this.#span.setAttribute(ERROR_TYPE, reason);
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: reason });
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#span.end();
    this.#onEnd(this.#error);
  }
}
