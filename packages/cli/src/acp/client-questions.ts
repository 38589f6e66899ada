import type {
  AgentContext,
  ClientCapabilities,
  ElicitationPropertySchema,
  ElicitationSchema,
  PermissionOption,
  ToolCall,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { PermissionAnswer, PermissionRequest } from '@qwen/agent';
import { openBrowser } from '@qwen/host/mcp/auth/open-browser.js';
import {
  type Confirmation,
  type ConfirmationAnswer,
  type ConfirmationServiceApi,
  NOT_CONFIRMED,
} from '@qwen/host/service-apis.js';
import type { HostServices } from '@qwen/host/sessions/create-host.js';
import {
  AgentError,
  CONTROL_REQUESTS,
  findBuiltinTool,
  isJsonObject,
  type PermissionDestination,
  type PermissionUpdate,
} from '@qwen/protocol';
import { askUserInput, type Elicit, type ElicitationAnswer } from '@qwen/tools';
import * as z from 'zod/mini';
import { type AskedQuestion, questionForm } from './question-form.js';
import { describeCall, previewContent, textContent } from './tool-calls.js';

export interface ClientQuestionsOptions {
  readonly client: AgentContext;
  readonly capabilities: ClientCapabilities;
  readonly sessionId: string;
  readonly cwd: string;
}

interface Choice {
  readonly option: PermissionOption;
  readonly answer: PermissionAnswer;
}

type ShownQuestion = Pick<ToolCall, 'title' | 'kind' | 'content' | 'rawInput'>;

interface Asking {
  readonly signal: AbortSignal;
}

const DECLINED = 'The user declined.';
const DENIED: PermissionAnswer = { behavior: 'deny', message: DECLINED };
const WITHDRAWN: PermissionAnswer = { behavior: 'deny', message: 'The question was cancelled.', interrupt: true };
const NO_FREE_TEXT: PermissionAnswer = {
  behavior: 'deny',
  message: 'This editor shows only questions with options. Add options to each question, or ask in your answer.',
};

const formSchema = z.lazy(() =>
  z.looseObject({ properties: z.record(z.string(), z.looseObject({ type: z.string() })) }),
);

const selectionSchema = z.lazy(() =>
  z.object({
    outcome: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('selected'), optionId: z.string() }),
      z.object({ outcome: z.literal('cancelled') }),
    ]),
  }),
);

/** The questions of one session to the user of the editor. Any failure is a denial. */
export class ClientQuestions implements ConfirmationServiceApi {
  readonly answersQuestions = true;
  readonly #options: ClientQuestionsOptions;

  constructor(options: ClientQuestionsOptions) {
    this.#options = options;
  }

  /** A connection has one user; questions name the session already. */
  about(): HostServices['permission'] {
    return this;
  }

  async ask(request: PermissionRequest, asking: Asking): Promise<PermissionAnswer> {
    try {
      if (request.toolName === 'ask_user_question') return await this.#askUser(request, asking);
      const choices = permissionChoices(request);
      return await this.#choose(choices, (options) =>
        isAboutHost(request)
          ? this.#selectApart({ title: request.reason, kind: 'fetch', rawInput: request.input }, options, asking)
          : this.#select(this.#toCall(request), options, asking),
      );
    } catch (thrown) {
      return { behavior: 'deny', message: `The editor did not answer: ${AgentError.from(thrown).message}` };
    }
  }

  async confirm(question: Confirmation, asking: Asking): Promise<ConfirmationAnswer> {
    const isShell = question.type === 'confirm_shell_commands';
    const title = isShell ? question.commands.join('\n') : question.prompt;
    const call = {
      title: isShell ? `Run commands of ${question.raw}` : title,
      kind: isShell ? 'execute' : 'other',
      content: [textContent(title)],
    } as const;
    try {
      const chosen = await this.#selectApart(
        { ...call, content: [...call.content] },
        [
          { optionId: 'once', name: 'Yes', kind: 'allow_once' },
          ...(isShell ? [{ optionId: 'always', name: 'Yes, always', kind: 'allow_always' } as const] : []),
          { optionId: 'no', name: 'No', kind: 'reject_once' },
        ],
        asking,
      );
      const approvedCommands = isShell ? question.commands : [];
      if (chosen === 'once') return { confirmationOutcome: 'proceed_once', approvedCommands };
      return chosen === 'always' ? { confirmationOutcome: 'proceed_always', approvedCommands } : NOT_CONFIRMED;
    } catch {
      return NOT_CONFIRMED;
    }
  }

  /** Undefined if the editor shows no forms. */
  elicitFor(serverName: string): Elicit | undefined {
    if (!this.#showsForms) return undefined;
    return async ({ message, mode, url, requested_schema: schema }, asking) => {
      try {
        if (mode !== 'url' || url === undefined)
          return await this.#fillForm(`${serverName}: ${message}`, formSchema.parse(schema), asking);
        const words = `${serverName} asks you to open ${new URL(url).host}: ${message}\n${url}`;
        const { action } = await this.#fillForm(words, { type: 'object', properties: {} }, asking);
        if (action === 'accept') openBrowser(new URL(url));
        return { action };
      } catch {
        return { action: 'cancel' };
      }
    };
  }

  get #showsForms(): boolean {
    const { elicitation } = this.#options.capabilities;
    return elicitation?.form !== undefined && elicitation.form !== null;
  }

  #toCall({ callId, toolName, input, preview, reason }: PermissionRequest): ToolCallUpdate {
    const { cwd } = this.#options;
    const content = previewContent(preview, cwd);
    return {
      toolCallId: callId,
      status: 'pending',
      ...describeCall({ name: toolName, input }, cwd),
      ...(content.length > 0 && { content }),
      ...(reason !== '' && { _meta: { reason } }),
    };
  }

  async #choose(
    choices: readonly Choice[],
    select: (options: PermissionOption[]) => Promise<string | undefined>,
  ): Promise<PermissionAnswer> {
    const chosen = await select(choices.map(({ option }) => option));
    if (chosen === undefined) return WITHDRAWN;
    return choices.find(({ option }) => option.optionId === chosen)?.answer ?? DENIED;
  }

  /** Undefined: the editor cancelled the question. Rejects for an invalid answer. */
  async #select(toolCall: ToolCallUpdate, options: PermissionOption[], asking: Asking): Promise<string | undefined> {
    const { client, sessionId } = this.#options;
    const answer = await client.request(
      'session/request_permission',
      { sessionId, toolCall, options },
      { cancellationSignal: asking.signal, stopWaitingOnCancel: true },
    );
    const { data } = selectionSchema.safeParse(answer);
    if (data === undefined) throw new AgentError('invalid_message', 'its answer has no valid outcome.');
    return data.outcome.outcome === 'selected' ? data.outcome.optionId : undefined;
  }

  /** A question that is not about a call of the model: a call of its own, which ends with the answer. */
  async #selectApart(shown: ShownQuestion, options: PermissionOption[], asking: Asking): Promise<string | undefined> {
    const { client, sessionId } = this.#options;
    const call = { toolCallId: crypto.randomUUID(), status: 'pending' as const, ...shown };
    await client.notify('session/update', { sessionId, update: { sessionUpdate: 'tool_call', ...call } });
    let chosen: string | undefined;
    try {
      chosen = await this.#select(call, options, asking);
      return chosen;
    } finally {
      const isAllowed = options.some(({ optionId, kind }) => optionId === chosen && kind.startsWith('allow'));
      const status = isAllowed ? 'completed' : 'failed';
      const update = { sessionUpdate: 'tool_call_update', toolCallId: call.toolCallId, status } as const;
      await client.notify('session/update', { sessionId, update }).catch(() => undefined);
    }
  }

  async #askUser(request: PermissionRequest, asking: Asking): Promise<PermissionAnswer> {
    if (!this.#showsForms) return this.#askEach(request, asking);
    const { message, requestedSchema, read } = questionForm(request, toProperty);
    const { action, content = {} } = await this.#fillForm(message, requestedSchema, asking);
    if (action !== 'accept') return action === 'decline' ? DENIED : WITHDRAWN;
    return read(content);
  }

  /** Asks each question separately, as a choice. */
  async #askEach(request: PermissionRequest, asking: Asking): Promise<PermissionAnswer> {
    const { questions } = askUserInput.parse(request.input);
    if (questions.some(({ options }) => options.length === 0)) return NO_FREE_TEXT;
    const answers: Record<string, string> = {};
    for (const [index, { question, options }] of questions.entries()) {
      const call = { ...this.#toCall(request), title: question, content: [textContent(question)] };
      const offered = options.map(({ label, description }, number): PermissionOption => {
        const name = description === undefined ? label : `${label}: ${description}`;
        return { optionId: String(number), name, kind: 'allow_once' };
      });
      const skip: PermissionOption = { optionId: 'skip', name: 'Do not answer', kind: 'reject_once' };
      const chosen = await this.#select(call, [...offered, skip], asking);
      if (chosen === undefined) return WITHDRAWN;
      const label = options[Number(chosen)]?.label;
      if (label === undefined) return DENIED;
      answers[String(index)] = label;
    }
    return { behavior: 'allow', updatedInput: { questions, answers } };
  }

  async #fillForm(message: string, requestedSchema: ElicitationSchema, asking: Asking): Promise<ElicitationAnswer> {
    const { client, sessionId } = this.#options;
    const answer: { readonly action: string; readonly content?: unknown } = await client.request(
      'elicitation/create',
      { sessionId, mode: 'form', message, requestedSchema },
      { cancellationSignal: asking.signal, stopWaitingOnCancel: true },
    );
    const parsed = z.safeParse(CONTROL_REQUESTS.elicitation.result, {
      ...answer,
      content: answer.content ?? undefined,
    });
    return parsed.data ?? { action: 'cancel' };
  }
}

function toProperty({ question, header, options, multiSelect }: AskedQuestion): ElicitationPropertySchema {
  const words = { title: header ?? question, description: question };
  const choices = options.map(({ label, description }) => ({
    const: label,
    title: label,
    ...(description !== undefined && { description }),
  }));
  if (choices.length === 0) return { type: 'string', ...words };
  return multiSelect === true
    ? { type: 'array', ...words, items: { anyOf: choices } }
    : { type: 'string', ...words, oneOf: choices };
}

/** Whether a running command of the sandbox connects to a host. */
function isAboutHost({ toolName, input, preview }: PermissionRequest): boolean {
  if (findBuiltinTool(toolName) !== 'run_shell_command' || preview.type !== 'info') return false;
  return isJsonObject(input) && preview.urls.some((url) => url === input['host']);
}

/** The safest approval first. */
function permissionChoices({ preview, suggestions }: PermissionRequest): readonly Choice[] {
  const no = (name: string): Choice => ({ option: { optionId: 'no', name, kind: 'reject_once' }, answer: DENIED });
  const autoEdit = allowAlways('auto-edit', 'Yes, and auto-accept edits from now on', [
    { type: 'setMode', mode: 'auto-edit', destination: 'session' },
  ]);
  if (preview.type === 'plan') return [allowOnce('Yes, proceed with the plan'), autoEdit, no('No, keep planning')];
  const offered = suggestions.find(({ type, rules = [] }) => type === 'allow' && rules.length > 0);
  const rules = offered?.rules ?? [];
  const always = (optionId: string, words: string, destination: PermissionDestination): Choice =>
    allowAlways(optionId, `Yes, always for this ${words}: ${rules.join(', ')}`, [
      { type: 'addRules', behavior: 'allow', rules: [...rules], destination },
    ]);
  return [
    allowOnce('Yes'),
    ...(preview.type === 'edit' ? [autoEdit] : []),
    ...(rules.length > 0
      ? [always('session', 'session', 'session'), always('project', 'project', 'localSettings')]
      : []),
    no('No'),
  ];
}

function allowOnce(name: string): Choice {
  return { option: { optionId: 'yes', name, kind: 'allow_once' }, answer: { behavior: 'allow' } };
}

function allowAlways(optionId: string, name: string, updatedPermissions: readonly PermissionUpdate[]): Choice {
  return { option: { optionId, name, kind: 'allow_always' }, answer: { behavior: 'allow', updatedPermissions } };
}
