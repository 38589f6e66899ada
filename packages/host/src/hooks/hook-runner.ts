import { type HookMoment, type HookPort, type HookVerdict, NO_VERDICT, toPlainHookText } from '@qwen/agent';
import { AgentError, type HookInput } from '@qwen/protocol';
import type { Hook, HookNotice } from './hook.js';
import { type HookFacts, subjectOf, toHookInput } from './hook-input.js';
import type { HookReport } from './hook-report.js';
import { type HookAnswer, joinAnswers } from './join-outputs.js';

export interface HookRunnerOptions {
  /** In registration order. */
  readonly hooks: () => readonly Hook[];
  readonly facts: () => HookFacts;
  /** Must not throw. */
  readonly announce: (notice: HookNotice) => void;
  /** Must not throw. */
  readonly report?: (report: HookReport) => void;
}

/** Errors of these hooks block unless the registration says otherwise: they are guards. */
const GUARDED_EVENTS: ReadonlySet<string> = new Set(['PreToolUse', 'UserPromptSubmit']);
/** The process exits soon after the session ends. */
const SESSION_END_LIMIT_MS = 1_000;
const MAX_MESSAGE_LENGTH = 2_000;

/** Runs the hooks of an event in parallel and joins their outputs. */
export class HookRunner implements HookPort {
  readonly #options: HookRunnerOptions;

  constructor(options: HookRunnerOptions) {
    this.#options = options;
  }

  has(event: HookMoment['event']): boolean {
    return this.#options.hooks().some((hook) => hook.event === event);
  }

  async run(moment: HookMoment, { signal }: { readonly signal: AbortSignal }): Promise<HookVerdict> {
    const { hooks, facts } = this.#options;
    const subject = subjectOf(moment);
    const chosen = hooks().filter(
      (hook) => hook.event === moment.event && (subject === undefined || hook.fits(subject)),
    );
    if (chosen.length === 0 || signal.aborted) return NO_VERDICT;
    const input = toHookInput(moment, facts());
    const until =
      moment.event === 'SessionEnd' ? AbortSignal.any([signal, AbortSignal.timeout(SESSION_END_LIMIT_MS)]) : signal;
    const asked = Promise.all(chosen.map((hook) => this.#askAndReport(hook, input, until)));
    const answers = await unlessAborted(asked, until);
    if (answers === undefined) {
      if (!signal.aborted) this.#tellLate(moment.event);
      return NO_VERDICT;
    }
    this.#tell(chosen, answers);
    return joinAnswers(moment.event, answers);
  }

  #tellLate(event: HookMoment['event']): void {
    const message = `The ${event} hooks took longer than ${SESSION_END_LIMIT_MS} ms and were stopped.`;
    this.#options.announce({ code: 'hook_error', message, data: { event } });
  }

  async #askAndReport(hook: Hook, input: HookInput, signal: AbortSignal): Promise<HookAnswer> {
    const { report } = this.#options;
    if (report === undefined) return this.#ask(hook, input, signal);
    const beganAtMs = nowMs();
    const answer = await this.#ask(hook, input, signal);
    const outcome = signal.aborted ? 'cancelled' : outcomeOf(answer, input.hook_event_name);
    report({ event: hook.event, hook: hook.label, outcome, durationMs: Math.round(nowMs() - beganAtMs) });
    return answer;
  }

  async #ask(hook: Hook, input: HookInput, signal: AbortSignal): Promise<HookAnswer> {
    try {
      const output = await hook.ask(input, { signal });
      const named = output.hookSpecificOutput?.hookEventName;
      if (named !== undefined && named !== hook.event) {
        throw new AgentError('hook_failed', `it answered for the event ${named}`);
      }
      return { kind: 'output', output };
    } catch (thrown) {
      const error = AgentError.from(thrown, 'hook_failed');
      const problem = toPlainHookText(error.message, MAX_MESSAGE_LENGTH);
      const message = `The ${hook.event} hook ${hook.label} failed: ${problem}`;
      return { kind: 'fault', message, error, isBlocking: hook.blocking ?? GUARDED_EVENTS.has(hook.event) };
    }
  }

  #tell(hooks: readonly Hook[], answers: readonly HookAnswer[]): void {
    const changed: string[] = [];
    for (const [index, { event, label }] of hooks.entries()) {
      const answer = answers[index];
      const data = { event, hook: label };
      if (answer?.kind === 'fault') {
        this.#options.announce({
          code: 'hook_error',
          message: answer.message,
          data: { ...data, ...factsOf(answer.error) },
        });
      } else if (answer?.kind === 'output') {
        const message = toPlainHookText(answer.output.systemMessage ?? '', MAX_MESSAGE_LENGTH);
        if (message !== '') this.#options.announce({ code: 'hook_message', message, data });
        if (event === 'PreToolUse' && answer.output.hookSpecificOutput?.updatedInput) changed.push(label);
      }
    }
    const last = changed.at(-1);
    if (last === undefined || changed.length === 1) return;
    const message = `Several hooks changed the input of the same call (${changed.join(', ')}); that of ${last} counts.`;
    this.#options.announce({ code: 'hook_message', message, data: { event: 'PreToolUse', hook: last } });
  }
}

/** Whether to retry, and which request failed. */
function factsOf(error: AgentError | undefined): Readonly<Record<string, unknown>> {
  if (error === undefined) return {};
  const { askedAs } = error.data;
  return { ...(error.retryable && { retryable: true }), ...(typeof askedAs === 'string' && { request_id: askedAs }) };
}

function outcomeOf(answer: HookAnswer, event: HookMoment['event']): HookReport['outcome'] {
  if (answer.kind === 'fault') return 'error';
  const { permission, block, stop } = joinAnswers(event, [answer]);
  return permission?.behavior === 'deny' || block !== undefined || stop !== undefined ? 'blocked' : 'success';
}

function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1_000_000;
}

/** Withdrawn hooks finish in the background. */
async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  const aborted = Promise.withResolvers<undefined>();
  const onAbort = (): void => aborted.resolve(undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const value = await Promise.race([promise, aborted.promise]);
    return signal.aborted ? undefined : value;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
