import {
  AgentError,
  type ControlHandler,
  type ControlPayload,
  describeIssue,
  HOOK_EVENTS,
  type HookEvent,
  type HookInput,
  type HookInputOf,
  type HookOutput,
  hookInputSchema,
  hookOutputSchema,
} from '@qwen/protocol';
import type { HookCallback, HookContext, HookMatcher, QueryHooks } from './hook-options.js';

interface HookCall {
  readonly input: HookInput;
  readonly toolUseId: string | undefined;
  readonly context: HookContext;
}

type HookMap = Exclude<NonNullable<ControlPayload<'initialize'>['hooks']>, readonly unknown[]>;

export class HookRegistry {
  readonly #callbacks = new Map<string, (call: HookCall) => unknown>();
  readonly #registrations: HookMap = {};

  constructor(hooks: QueryHooks = {}) {
    for (const event of HOOK_EVENTS) this.#registerEvent(event, hooks[event]);
  }

  get registrations(): HookMap | null {
    return this.#callbacks.size === 0 ? null : this.#registrations;
  }

  has(event: HookEvent): boolean {
    return this.#registrations[event] !== undefined;
  }

  /** Does not validate the answer. Throws `invalid_payload` for an unknown id or an input of another event. */
  call(callbackId: string, { input, ...rest }: Omit<HookCall, 'input'> & { readonly input: unknown }): unknown {
    const callback = this.#callbacks.get(callbackId);
    if (callback === undefined) {
      throw new AgentError('invalid_payload', `This app has no hook with the id ${callbackId}.`);
    }
    const parsed = hookInputSchema.safeParse(input);
    if (!parsed.success) throw new AgentError('invalid_payload', describeIssue('hook_callback.input', parsed.error));
    return callback({ input: parsed.data, ...rest });
  }

  #registerEvent<Event extends HookEvent>(event: Event, given: QueryHooks[Event]): void {
    const matchers: readonly HookMatcher<Event>[] = given ?? [];
    if (matchers.length === 0) return;
    this.#registrations[event] = matchers.map(({ matcher, hooks: callbacks, timeout, blocking, onFailure }) => ({
      ...(matcher !== undefined && { matcher }),
      hookCallbackIds: callbacks.map((callback) => this.#register(event, callback)),
      // JSON has no Infinity: on the wire 0 disables the timeout.
      ...(timeout !== undefined && { timeout: Number.isFinite(timeout) ? timeout : 0 }),
      ...(blocking !== undefined && { blocking }),
      ...(onFailure !== undefined && { blocking: onFailure === 'block' }),
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

/** An `Error`, a `Map` or another instance without members of an output: what it means is lost. */
function isForeignObject(answer: unknown, read: HookOutput): boolean {
  if (typeof answer !== 'object' || answer === null || Object.keys(read).length > 0) return false;
  const prototype: unknown = Object.getPrototypeOf(answer);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/** Failures are error answers; the CLI applies `blocking`. */
export function createHookCallbackHandler(
  hooks: HookRegistry,
  onProblem: (error: AgentError) => void,
): ControlHandler<'hook_callback'> {
  return async ({ callback_id: callbackId, input, tool_use_id: toolUseId }, { signal }) => {
    try {
      const answer = await hooks.call(callbackId, { input, toolUseId: toolUseId ?? undefined, context: { signal } });
      const parsed = hookOutputSchema.safeParse(answer ?? {});
      if (parsed.success && !isForeignObject(answer, parsed.data)) return parsed.data;
      // The CLI withholds a result whose guard gave no readable answer.
      const problem = parsed.success
        ? 'hook output: expected a plain object, or a throw for a failure'
        : describeIssue('hook output', parsed.error);
      throw new AgentError('hook_failed', problem, { data: { isAnswer: true } });
    } catch (thrown) {
      const error = AgentError.from(thrown, 'hook_failed');
      onProblem(error);
      throw error;
    }
  };
}
