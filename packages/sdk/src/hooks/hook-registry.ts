import {
  AgentError,
  type ControlPayload,
  describeIssue,
  HOOK_EVENTS,
  type HookEvent,
  type HookInput,
  type HookInputOf,
  hookInputSchema,
} from '@qwen/protocol';
import type { HookCallback, HookContext, HookMatcher, QueryHooks } from './hook-options.js';

/** What one call of a hook is about. */
interface HookCall {
  readonly input: HookInput;
  readonly toolUseId: string | undefined;
  readonly context: HookContext;
}

type HookMap = Exclude<NonNullable<ControlPayload<'initialize'>['hooks']>, readonly unknown[]>;

/** The hook callbacks of one query under the ids by which the CLI calls them (M-22, FB5). */
export class HookRegistry {
  readonly #callbacks = new Map<string, (call: HookCall) => unknown>();
  readonly #registrations: HookMap = {};

  constructor(hooks: QueryHooks = {}) {
    for (const event of HOOK_EVENTS) this.#registerEvent(event, hooks[event]);
  }

  /** What `initialize` tells the CLI; null when there are no hooks. */
  get registrations(): HookMap | null {
    return this.#callbacks.size === 0 ? null : this.#registrations;
  }

  /**
   * Calls a hook and gives what it returned, unchecked. Throws `invalid_payload` for an id that was never registered
   * and for an input that is not the one of its event: a callback never sees what its type does not say.
   */
  call(callbackId: string, { input, ...rest }: Omit<HookCall, 'input'> & { readonly input: unknown }): unknown {
    const callback = this.#callbacks.get(callbackId);
    if (callback === undefined) {
      throw new AgentError('invalid_payload', `This app registered no hook called ${callbackId}.`);
    }
    const parsed = hookInputSchema.safeParse(input);
    if (!parsed.success) throw new AgentError('invalid_payload', describeIssue('hook_callback.input', parsed.error));
    return callback({ input: parsed.data, ...rest });
  }

  #registerEvent<Event extends HookEvent>(event: Event, given: QueryHooks[Event]): void {
    const matchers: readonly HookMatcher<Event>[] = given ?? [];
    if (matchers.length === 0) return;
    this.#registrations[event] = matchers.map(({ matcher, hooks: callbacks, timeout, blocking }) => ({
      ...(matcher !== undefined && { matcher }),
      hookCallbackIds: callbacks.map((callback) => this.#register(event, callback)),
      // JSON has no Infinity: on the wire 0 means for ever.
      ...(timeout !== undefined && { timeout: Number.isFinite(timeout) ? timeout : 0 }),
      ...(blocking !== undefined && { blocking }),
    }));
  }

  #register<Event extends HookEvent>(event: Event, callback: HookCallback<Event>): string {
    const callbackId = `hook_${this.#callbacks.size}`;
    this.#callbacks.set(callbackId, ({ input, toolUseId, context }) => {
      if (isInputOf(event, input)) return callback(input, toolUseId, context);
      throw new AgentError('invalid_payload', `A hook of ${event} was called for ${input.hook_event_name}.`);
    });
    return callbackId;
  }
}

function isInputOf<Event extends HookEvent>(event: Event, input: HookInput): input is HookInputOf<Event> {
  return input.hook_event_name === event;
}
