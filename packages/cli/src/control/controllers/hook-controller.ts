import type { Hook } from '@qwen/host/hooks/hook.js';
import { checkMatcher, compileMatcher, unmatchedIn } from '@qwen/host/name-matcher.js';
import type { HookServiceApi } from '@qwen/host/service-apis.js';
import {
  AgentError,
  type ControlScope,
  HOOK_EVENTS,
  type HookRegistration,
  type ToolVocabulary,
  toHookRegistrations,
} from '@qwen/protocol';
import type { ControlContext, Controller, InitializePayload } from './controller.js';

export class HookController implements Controller, HookServiceApi {
  readonly handlers = {};
  readonly supported = true;
  readonly #context: ControlContext;
  #toolNames: ToolVocabulary;
  #ofApp: readonly Hook[] = [];
  #ofProgram: readonly Hook[] = [];
  readonly #reported = new Set<string>();

  constructor(context: ControlContext, toolNames: ToolVocabulary) {
    this.#context = context;
    this.#toolNames = toolNames;
  }

  get hooks(): readonly Hook[] {
    return [...this.#ofProgram, ...this.#ofApp];
  }

  about(place: () => ControlScope): readonly Hook[] {
    return this.hooks.map((hook) => ({ ...hook, ask: (input, how) => hook.ask(input, { ...how, place: place() }) }));
  }

  registerHookCallback(hook: Hook): () => void {
    this.#ofProgram = [...this.#ofProgram, hook];
    return () => {
      this.#ofProgram = this.#ofProgram.filter((other) => other !== hook);
    };
  }

  checkInitialize({ hooks, toolNames = this.#toolNames }: InitializePayload): void {
    for (const { event, matcher } of toHookRegistrations(hooks ?? {})) {
      try {
        checkMatcher(event, matcher, toolNames);
      } catch (thrown) {
        const { message } = AgentError.from(thrown);
        throw new AgentError('invalid_payload', `initialize.hooks.${event}: ${message}`, { data: { event, matcher } });
      }
    }
  }

  /** A later `initialize` replaces the hooks of the app, unless it names none. */
  onInitialize({ hooks, toolNames = this.#toolNames }: InitializePayload): void {
    this.#toolNames = toolNames;
    if (hooks === undefined) return;
    const registrations = toHookRegistrations(hooks ?? {});
    this.#ofApp = registrations.flatMap((registration) => this.#toHooks(registration));
    for (const { event, matcher } of registrations) {
      this.#reportUnknown(event);
      this.#reportUnmatched(event, matcher);
    }
  }

  #toHooks({ event, matcher, callbackIds, timeoutSeconds, blocking }: HookRegistration): Hook[] {
    const toolNames = this.#toolNames;
    const match = compileMatcher(matcher, toolNames);
    return callbackIds.map((callbackId) => ({
      event,
      match,
      toolNames,
      blocking,
      label: callbackId,
      ask: (input, { signal, place }) =>
        this.#context.app.ask(
          'hook_callback',
          { callback_id: callbackId, input, tool_use_id: 'tool_use_id' in input ? input.tool_use_id : null },
          { signal, place, ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }) },
        ),
    }));
  }

  /** A newer app may register unknown events; warn, because their hooks never run. */
  #reportUnknown(event: string): void {
    if (HOOK_EVENTS.some((known) => known === event)) return;
    const message = `This version of qwen does not support the hook event ${JSON.stringify(event)}; its hooks never run.`;
    this.#reportOnce('unknown_hook_event', message);
  }

  #reportUnmatched(event: string, matcher: string | undefined): void {
    const problem = unmatchedIn(event, matcher);
    if (problem !== undefined) this.#reportOnce('unmatched_hook', `initialize.hooks: ${problem}.`);
  }

  #reportOnce(code: string, message: string): void {
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#context.announce({ code, message });
  }
}
