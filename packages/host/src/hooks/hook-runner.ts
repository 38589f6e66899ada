import {
  type HookMoment,
  type HookPort,
  type HookVerdict,
  NO_VERDICT,
  toPlainHookText,
  unlessAborted,
} from '@qwen/agent';
import { nowMs } from '@qwen/agent/node';
import {
  AgentError,
  type HookInput,
  type HookOutput,
  type PermissionSuggestion,
  readPermissionUpdates,
  toClaudeSuggestions,
  unsupportedHookOutput,
} from '@qwen/protocol';
import { type CallView, toOwnInput, viewsOf } from './call-views.js';
import type { Hook, HookNotice } from './hook.js';
import { type HookSession, subjectOf, toHookInput } from './hook-input.js';
import type { HookReport } from './hook-report.js';
import { type HookAnswer, joinAnswers, readReplacement } from './join-outputs.js';

export interface HookRunnerOptions {
  /** In registration order. */
  readonly hooks: () => readonly Hook[];
  readonly facts: () => HookSession;
  /** Must not throw. */
  readonly announce: (notice: HookNotice) => void;
  /** Must not throw. */
  readonly report?: (report: HookReport) => void;
}

interface ChosenHook {
  readonly hook: Hook;
  /** The name that its matcher chose, at a tool call. */
  readonly name?: string;
}

/** The answers of one hook: several if it judges a call file by file. */
interface Answered extends ChosenHook {
  readonly answers: readonly HookAnswer[];
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
    const chosen = this.#options.hooks().flatMap((hook) => choose(hook, moment));
    if (chosen.length === 0) return NO_VERDICT;
    const until =
      moment.event === 'SessionEnd' ? AbortSignal.any([signal, AbortSignal.timeout(SESSION_END_LIMIT_MS)]) : signal;
    // Hooks that still run finish in the background.
    const asked = until.aborted
      ? ({ aborted: true } as const)
      : await unlessAborted(this.#askAll(chosen, moment, until), until);
    if (asked.aborted) {
      if (!signal.aborted) this.#reportLate(moment.event);
      return moment.event === 'PostToolUse'
        ? { withhold: { reason: 'The turn was interrupted before its hooks ended.' } }
        : NO_VERDICT;
    }
    this.#report(asked.value);
    return joinAnswers(
      moment.event,
      asked.value.flatMap(({ answers }) => answers),
    );
  }

  /** In parallel. Hooks that replaced the same result are asked again in turn, each about that of the previous one. */
  async #askAll(chosen: readonly ChosenHook[], moment: HookMoment, signal: AbortSignal): Promise<Answered[]> {
    const asked = await Promise.all(chosen.map((one) => this.#askAndReport(one, moment, signal)));
    if (moment.event !== 'PostToolUse') return asked;
    const [first, ...others] = asked.filter(({ answers }) => replacementOf(answers) !== undefined);
    let response = replacementOf(first?.answers ?? []);
    for (const other of others) {
      if (response === undefined) break;
      const again = await this.#askAndReport(other, replaced(moment, response), signal);
      asked[asked.indexOf(other)] = again;
      response = replacementOf(again.answers) ?? response;
    }
    return asked;
  }

  #reportLate(event: HookMoment['event']): void {
    const message = `The ${event} hooks took longer than ${SESSION_END_LIMIT_MS} ms and were stopped.`;
    this.#options.announce({ code: 'hook_error', message, data: { event } });
  }

  async #askAndReport(chosen: ChosenHook, moment: HookMoment, signal: AbortSignal): Promise<Answered> {
    const { report } = this.#options;
    const { hook } = chosen;
    const beganAtMs = nowMs();
    const answers = await this.#ask(chosen, moment, signal);
    const outcome = signal.aborted ? 'cancelled' : outcomeOf(answers, moment.event);
    report?.({ event: hook.event, hook: hook.label, outcome, durationMs: Math.round(nowMs() - beganAtMs) });
    return { ...chosen, answers };
  }

  async #ask({ hook, name }: ChosenHook, moment: HookMoment, signal: AbortSignal): Promise<HookAnswer[]> {
    const facts = this.#options.facts();
    if (!('call' in moment) || name === undefined)
      return [await this.#askOnce(hook, toHookInput(moment, facts), signal)];
    let views: readonly CallView[];
    try {
      views = await viewsOf(moment.call, name, facts.cwd);
    } catch (thrown) {
      return [toFault(hook, thrown, true)];
    }
    const answers: HookAnswer[] = [];
    let now: typeof moment = moment;
    // A callback for other names may expect another form of the result; what it would remove must not pass.
    const isForeign = hook.toolNames !== undefined && name !== moment.call.toolName;
    const guard = isForeign ? { ...hook, blocking: hook.blocking ?? true } : hook;
    for (const view of views) {
      const answer = await this.#askOnce(guard, toHookInput(now, facts, view), signal);
      answers.push(answer.kind === 'output' ? withOwnInput(hook, answer, { view, call: moment.call }) : answer);
      const response = replacementOf([answer]);
      if (now.event === 'PostToolUse' && response !== undefined) now = replaced(now, response);
    }
    const isPartial = moment.event === 'PermissionRequest' && !answers.every(approves);
    return isPartial ? answers.map((answer) => (approves(answer) ? { kind: 'output', output: {} } : answer)) : answers;
  }

  async #askOnce(hook: Hook, input: HookInput, signal: AbortSignal): Promise<HookAnswer> {
    try {
      const output = await hook.ask(inTermsOf(hook, input), { signal });
      const problem = unsupportedHookOutput(input.hook_event_name, output);
      if (problem !== undefined) throw new AgentError('invalid_payload', problem);
      // Throws for invalid updates.
      readPermissionUpdates(approvalIn(output)?.updatedPermissions);
      const replacement = readReplacement(output);
      return { kind: 'output', output, ...(replacement !== undefined && { replacement }) };
    } catch (thrown) {
      return toFault(hook, thrown);
    }
  }

  #report(asked: readonly Answered[]): void {
    const changed: string[] = [];
    for (const { hook, answers } of asked) {
      const data = { event: hook.event, hook: hook.label };
      for (const answer of answers) this.#reportAnswer(answer, data);
      if (answers.some((answer) => answer.kind === 'output' && changedInput(answer.output))) {
        changed.push(hook.label);
      }
    }
    const last = changed.at(-1);
    if (last === undefined || changed.length === 1) return;
    const message = `Several hooks changed the input of the same call (${changed.join(', ')}). The change by ${last} applies.`;
    this.#options.announce({
      code: 'hook_message',
      message,
      data: { event: asked[0]?.hook.event ?? 'PreToolUse', hook: last },
    });
  }

  #reportAnswer(answer: HookAnswer, data: Readonly<Record<string, unknown>>): void {
    if (answer.kind === 'fault') {
      const { message, error } = answer;
      this.#options.announce({ code: 'hook_error', message, data: { ...data, ...factsOf(error) } });
      return;
    }
    const message = toPlainHookText(answer.output.systemMessage ?? '', MAX_MESSAGE_LENGTH);
    if (message !== '') this.#options.announce({ code: 'hook_message', message, data });
  }
}

function choose(hook: Hook, moment: HookMoment): ChosenHook[] {
  if (hook.event !== moment.event) return [];
  const subject = subjectOf(moment, hook.toolNames);
  if (subject === undefined) return [{ hook }];
  const name = hook.match(subject);
  return name === undefined ? [] : [{ hook, name }];
}

/** A guard whose answer cannot be followed blocks: at PostToolUse, its exceptions do not. */
function toFault(hook: Hook, thrown: unknown, isBlocking?: boolean): HookAnswer {
  const error = AgentError.from(thrown, 'hook_failed');
  const problem = toPlainHookText(error.message, MAX_MESSAGE_LENGTH);
  const isGuard =
    GUARDED_EVENTS.has(hook.event) ||
    (hook.event === 'PostToolUse' && (error.code === 'invalid_payload' || error.data['isAnswer'] === true));
  const message = `The ${hook.event} hook ${hook.label} failed: ${problem}`;
  return { kind: 'fault', message, error, isBlocking: isBlocking ?? hook.blocking ?? isGuard };
}

interface ViewedAnswer {
  readonly view: CallView;
  readonly call: Extract<HookMoment, { readonly event: 'PreToolUse' }>['call'];
}

function withOwnInput(
  hook: Hook,
  answer: Extract<HookAnswer, { kind: 'output' }>,
  { view, call }: ViewedAnswer,
): HookAnswer {
  const { hookSpecificOutput: specific, ...output } = answer.output;
  const { updatedInput: _replaced, decision, ...rest } = specific ?? {};
  const given = changedInput(answer.output);
  if (!given) return answer;
  try {
    const own = toOwnInput(given, view, call);
    const changed = own === undefined ? {} : { updatedInput: { ...own } };
    const { updatedInput: _foreign, ...approval } = approvalIn(answer.output) ?? {};
    const converted = decision ? { decision: { behavior: 'allow' as const, ...approval, ...changed } } : changed;
    return { ...answer, output: { ...output, hookSpecificOutput: { ...rest, ...converted } } };
  } catch (thrown) {
    return toFault(hook, thrown, true);
  }
}

function approvalIn({ hookSpecificOutput: specific }: HookOutput) {
  return specific?.decision?.behavior === 'allow' ? specific.decision : undefined;
}

function approves(answer: HookAnswer): boolean {
  return answer.kind === 'output' && approvalIn(answer.output) !== undefined;
}

function changedInput(output: HookOutput) {
  return output.hookSpecificOutput?.updatedInput ?? approvalIn(output)?.updatedInput;
}

function inTermsOf({ toolNames }: Hook, input: HookInput): HookInput {
  if (toolNames !== 'claude' || input.hook_event_name !== 'PermissionRequest') return input;
  const suggestions = input.permission_suggestions as PermissionSuggestion[];
  return { ...input, permission_suggestions: toClaudeSuggestions(suggestions) };
}

type PostToolUse = Extract<HookMoment, { event: 'PostToolUse' }>;

function replaced({ structured: _old, ...moment }: PostToolUse, response: PostToolUse['response']): PostToolUse {
  return { ...moment, response };
}

function replacementOf(answers: readonly HookAnswer[]) {
  return answers.flatMap((answer) => (answer.kind === 'output' ? (answer.replacement ?? []) : [])).at(-1)?.content;
}

function factsOf(error: AgentError | undefined): Readonly<Record<string, unknown>> {
  if (error === undefined) return {};
  const { askedAs } = error.data;
  return { ...(error.retryable && { retryable: true }), ...(typeof askedAs === 'string' && { request_id: askedAs }) };
}

function outcomeOf(answers: readonly HookAnswer[], event: HookMoment['event']): HookReport['outcome'] {
  if (answers.some(({ kind }) => kind === 'fault')) return 'error';
  const { permission, block, stop } = joinAnswers(event, answers);
  return permission?.behavior === 'deny' || block !== undefined || stop !== undefined ? 'blocked' : 'success';
}
