import type { PermissionAnswer, PermissionPort, PermissionRequest } from '@qwen/agent';
import {
  type Confirmation,
  type ConfirmationAnswer,
  type ConfirmationServiceApi,
  NOT_CONFIRMED,
} from '@qwen/host/service-apis.js';
import type { Elicit, ElicitationAnswer } from '@qwen/tools';
import type { OpenQuestion } from '../state/terminal-state.js';
import type { TerminalStore } from '../state/terminal-store.js';

type Waiting = OpenQuestion extends infer Each ? (Each extends OpenQuestion ? Omit<Each, 'waiting'> : never) : never;

/**
 * Asks the user one question at a time: `state.question` is the first. An aborted question is withdrawn and counts
 * as a denial.
 */
export class QuestionQueue implements PermissionPort, ConfirmationServiceApi {
  readonly answersQuestions = true;
  readonly #store: TerminalStore;
  readonly #typed = new Set<string>();
  #waiting: readonly Waiting[] = [];

  constructor(store: TerminalStore) {
    this.#store = store;
  }

  ask(request: PermissionRequest, { signal }: { readonly signal: AbortSignal }): Promise<PermissionAnswer> {
    // The user typed the command, so it needs no approval; calls denied by a rule do not get here.
    if (this.#typed.delete(request.callId)) return Promise.resolve({ behavior: 'allow' });
    const withdrawn: PermissionAnswer = { behavior: 'deny', message: 'The question was cancelled.' };
    return this.#queue<PermissionAnswer>(signal, withdrawn, (id, answer) => ({
      kind: 'permission',
      id,
      request,
      answer,
    }));
  }

  confirm(confirmation: Confirmation, { signal }: { readonly signal: AbortSignal }): Promise<ConfirmationAnswer> {
    return this.#queue(signal, NOT_CONFIRMED, (id, answer) => ({ kind: 'confirmation', id, confirmation, answer }));
  }

  /** A withdrawn question is answered with `cancel`. */
  elicitFor(serverName: string): Elicit {
    return async (elicitation, { signal }) => {
      const given = await this.#queue<ElicitationAnswer>(signal, { action: 'cancel' }, (id, answer) => ({
        kind: 'elicitation',
        id,
        serverName,
        elicitation,
        answer,
      }));
      const { mode, url } = elicitation;
      if (mode === 'url' && url !== undefined && given.action === 'accept') {
        const { openBrowser } = await import('@qwen/host/mcp/auth/open-browser.js');
        openBrowser(new URL(url));
      }
      return given;
    };
  }

  endElicitations(): void {
    for (const question of this.#waiting) if (question.kind === 'elicitation') question.answer({ action: 'cancel' });
  }

  /** The screen has one session; all questions are about it. */
  about(): PermissionPort {
    return this;
  }

  expectTyped(callId: string): void {
    this.#typed.add(callId);
  }

  #queue<Answer>(
    signal: AbortSignal,
    withdrawn: Answer,
    toQuestion: (id: string, answer: (answer: Answer) => void) => Waiting,
  ): Promise<Answer> {
    if (signal.aborted) return Promise.resolve(withdrawn);
    const id = crypto.randomUUID();
    return new Promise((resolve) => {
      const settle = (answer: Answer): void => {
        signal.removeEventListener('abort', withdraw);
        this.#show(this.#waiting.filter((question) => question.id !== id));
        resolve(answer);
      };
      const withdraw = (): void => settle(withdrawn);
      signal.addEventListener('abort', withdraw, { once: true });
      this.#show([...this.#waiting, toQuestion(id, settle)]);
    });
  }

  #show(waiting: readonly Waiting[]): void {
    this.#waiting = waiting;
    const [first, ...others] = waiting;
    this.#store.update(({ question: _before, ...state }) =>
      first === undefined ? state : { ...state, question: { ...first, waiting: others.length } },
    );
  }
}
