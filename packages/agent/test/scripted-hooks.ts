import { type HookMoment, type HookPort, type HookVerdict, NO_VERDICT } from '@qwen/agent';

type MomentOf<Event extends HookMoment['event']> = Extract<HookMoment, { readonly event: Event }>;
type Handlers = {
  readonly [Event in HookMoment['event']]?: (
    moment: MomentOf<Event>,
    signal: AbortSignal,
  ) => HookVerdict | Promise<HookVerdict>;
};

/** A port whose hooks are functions by the name of their moment; remembers each moment that it was asked about. */
export class ScriptedHooks implements HookPort {
  readonly moments: HookMoment[] = [];
  readonly #handlers: Handlers;

  constructor(handlers: Handlers) {
    this.#handlers = handlers;
  }

  has(event: HookMoment['event']): boolean {
    return this.#handlers[event] !== undefined;
  }

  async run(moment: HookMoment, { signal }: { readonly signal: AbortSignal }): Promise<HookVerdict> {
    this.moments.push(moment);
    return this.#answer(moment, signal);
  }

  /** The moments of one kind, in order. */
  of<Event extends HookMoment['event']>(event: Event): MomentOf<Event>[] {
    return this.moments.filter((moment): moment is MomentOf<Event> => moment.event === event);
  }

  #answer<Event extends HookMoment['event']>(
    moment: MomentOf<Event>,
    signal: AbortSignal,
  ): HookVerdict | Promise<HookVerdict> {
    const handlers: Handlers = this.#handlers;
    const handler = handlers[moment.event];
    return handler?.(moment, signal) ?? NO_VERDICT;
  }
}
