export interface ControlQuestion {
  readonly requestId: string;
  readonly subtype: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The user's answer to a question. */
export interface Verdict {
  readonly requestId: string;
  readonly response: object;
}

/** Open questions of the agent: one card each, with two buttons. */
export class Questions {
  readonly #list: HTMLElement;
  readonly #answer: (verdict: Verdict) => void;
  readonly #cards = new Map<string, { readonly card: HTMLElement; readonly callId: unknown }>();

  constructor(list: HTMLElement, answer: (verdict: Verdict) => void) {
    this.#list = list;
    this.#answer = answer;
  }

  ask(question: ControlQuestion): void {
    const { requestId, subtype, payload } = question;
    const card = document.createElement('li');
    const title = document.createElement('strong');
    title.textContent = subtype === 'can_use_tool' ? `May the agent use ${String(payload['tool_name'])}?` : subtype;
    const what = document.createElement('pre');
    what.textContent = JSON.stringify(payload['input'] ?? payload, null, 2);
    card.append(
      title,
      what,
      this.#button('Approve', { requestId, response: approval(question) }),
      this.#button('Deny', { requestId, response: DENIALS[subtype] ?? { confirmationOutcome: 'cancel' } }),
    );
    this.#cards.set(requestId, { card, callId: payload['tool_use_id'] });
    this.#list.append(card);
  }

  /** Removes a question that was cancelled; without an ID, all of them. */
  withdraw(requestId: string | undefined): void {
    const gone = requestId === undefined ? [...this.#cards.keys()] : [requestId];
    for (const id of gone) {
      this.#cards.get(id)?.card.remove();
      this.#cards.delete(id);
    }
  }

  /** The tool call continues, so another page has answered, or this page before a reload. */
  settle(callId: string): void {
    for (const [requestId, asked] of this.#cards) if (asked.callId === callId) this.withdraw(requestId);
  }

  #button(text: string, verdict: Verdict): HTMLElement {
    const button = document.createElement('button');
    button.textContent = text;
    button.addEventListener('click', () => {
      this.withdraw(verdict.requestId);
      this.#answer(verdict);
    });
    return button;
  }
}

const DENIALS: Readonly<Record<string, object>> = {
  can_use_tool: { behavior: 'deny', message: 'The user declined.' },
};

function approval({ subtype, payload }: ControlQuestion): object {
  if (subtype === 'can_use_tool') return { behavior: 'allow' };
  return { confirmationOutcome: 'proceed_once', approvedCommands: payload['commands'] ?? [] };
}
