import type { CommandInvocation } from '@qwen/commands';
import { mayReferToFiles } from '@qwen/host/commands/known-commands.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import type { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { InputStep } from '@qwen/host/sessions/session-inputs.js';
import { AgentError, type ContentBlock, type SDKUserMessage } from '@qwen/protocol';
import type { ChatRequest, CommandReference, OpenAiMessage } from '@qwen/protocol/openai';
import { type PlannedCommand, type PlannedInput, planInput } from './plan-input.js';
import { hostToolsOf, type NamedTool, overridesOf } from './request-options.js';
import { seedHistory } from './seed-history.js';

type Content = string | readonly ContentBlock[];

/** A request about to start its turn. */
export interface ChatTurn {
  readonly session: LiveSession;
  readonly request: ChatRequest;
  readonly promptId: string;
  readonly turnId: string;
  /** Aborts if the request is cancelled before its turn starts. */
  readonly signal: AbortSignal;
}

/** How a dialect answers what needs more than the model. */
export interface ChatCommands {
  /** Runs a slash command and reports its result. Returns the prompt for the model, if there is one. */
  run(turn: ChatTurn, invocation: CommandInvocation, planned: PlannedCommand): Promise<Content | undefined>;
  /** Adds the files that a prompt refers to. */
  expand(turn: ChatTurn, content: Content, references: readonly CommandReference[]): Promise<Content>;
  /** Reports that a note was stored. */
  confirmNote(turn: ChatTurn): Promise<void> | void;
}

export interface ChatTurnsOptions {
  /** The session of a request. Throws when there is none. */
  readonly sessionOf: (sessionId: string | null | undefined) => LiveSession;
  readonly commands: ChatCommands;
  /** Tools other than those of the client, across all sessions. */
  readonly ownTools: () => readonly NamedTool[];
}

export interface ChatArrival {
  readonly request: ChatRequest;
  /** Earlier messages; used only for a new session. */
  readonly history: readonly OpenAiMessage[];
  /** Reports the failure to the sender, with the session if known. */
  readonly refuse: (error: AgentError, session?: LiveSession) => void;
  readonly turnId?: string | undefined;
}

/** Input to queue in its session. */
export interface QueuedChat {
  readonly session: LiveSession;
  readonly step: InputStep;
}

/** Turns chat requests into turns of their sessions: serial within a session, parallel across sessions. */
export class ChatTurns {
  readonly #options: ChatTurnsOptions;

  constructor(options: ChatTurnsOptions) {
    this.#options = options;
  }

  /** Returns what to queue; an answer to a call is passed on at once. Never throws. */
  read(arrival: ChatArrival): QueuedChat | undefined {
    const { request, refuse } = arrival;
    let session: LiveSession | undefined;
    try {
      const plan = planInput(request);
      session = this.#options.sessionOf(request.session_id);
      if (plan.kind !== 'tool_response') return { session, step: this.#toStep(session, plan, arrival) };
      session.hostTools.answer(plan.callId, plan.result);
    } catch (thrown) {
      refuse(AgentError.from(thrown), session);
    }
    return undefined;
  }

  /** A user message of the SDK dialect. Never throws. */
  readMessage(message: SDKUserMessage, sessionId: string, refuse: ChatArrival['refuse']): QueuedChat | undefined {
    const { content } = message.message;
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : [];
    const request: ChatRequest = { session_id: sessionId, input: { origin: 'user', parts } };
    const arrival = { request, history: [], refuse, turnId: message.uuid ?? undefined };
    if (typeof content === 'string') return this.read(arrival);
    try {
      const session = this.#options.sessionOf(sessionId);
      return { session, step: this.#toStep(session, { kind: 'prompt', content, references: [] }, arrival) };
    } catch (thrown) {
      refuse(AgentError.from(thrown), undefined);
      return undefined;
    }
  }

  #toStep(session: LiveSession, plan: PlannedInput, arrival: ChatArrival): InputStep {
    const { request, history, refuse, turnId = crypto.randomUUID() } = arrival;
    let promptId = request.prompt_id || request.tool_request?.prompt_id || undefined;
    return {
      promptId: () => promptId,
      take: async (signal) => {
        promptId ??= await session.nameTurn(turnId);
        await seed(session, history);
        signal.throwIfAborted();
        await this.#begin({ session, request, promptId, turnId, signal }, plan);
      },
      refuse: (error) => {
        const isBetweenTurns = session.host.turnInFlight === undefined;
        if (error.code !== 'cancelled' || !isBetweenTurns || promptId === undefined) return refuse(error, session);
        session.prompts.rebind(turnId, promptId);
        void session.emitCancelled(turnId);
      },
    };
  }

  async #begin(turn: ChatTurn, plan: PlannedInput): Promise<void> {
    const { session, turnId } = turn;
    switch (plan.kind) {
      case 'prompt':
        return this.#submit(turn, plan.content, plan.references);
      case 'command':
        return this.#run(turn, plan.command);
      case 'tool_run': {
        const { name, input, callId = `call_${crypto.randomUUID()}`, isClientInitiated } = plan;
        bind(turn);
        return session.host.runTool({ uuid: turnId, callId, name, input, isClientInitiated });
      }
      case 'note':
        await (await session.host.session()).inject(plan.text);
        return this.#options.commands.confirmNote(turn);
      case 'tool_response':
        return;
    }
  }

  async #run(turn: ChatTurn, planned: PlannedCommand): Promise<void> {
    const invocation = toInvocation(await turn.session.commands(), planned);
    // Text that is not a command goes to the model; output of a command already includes its files.
    if (invocation === undefined) return this.#submit(turn, planned.line ?? '', []);
    const content = await this.#options.commands.run(turn, invocation, planned);
    if (content !== undefined) this.#hand(turn, content);
  }

  async #submit(turn: ChatTurn, content: Content, references: readonly CommandReference[]): Promise<void> {
    const isPlain = references.length === 0 && !mayReferToFiles(content);
    this.#hand(turn, isPlain ? content : await this.#options.commands.expand(turn, content, references));
  }

  #hand(turn: ChatTurn, content: Content): void {
    const { session, request, turnId, signal } = turn;
    signal.throwIfAborted();
    const own = this.#options.ownTools();
    const hostTools = hostToolsOf(request, own);
    if (hostTools.length > 0) {
      session.hostTools.declare(hostTools);
      session.host.refreshTools();
    }
    const overrides = overridesOf(request, { own, host: session.hostTools.list });
    bind(turn);
    session.host.submit({ uuid: turnId, content, ...(overrides !== undefined && { overrides }) });
  }
}

/** Links the prompt id to the turn. A resumed turn may keep its id. */
function bind({ session, request, promptId, turnId }: ChatTurn): void {
  if (request.continuation === true) session.prompts.rebind(turnId, promptId);
  else session.prompts.bind(turnId, promptId);
}

async function seed(session: LiveSession, history: readonly OpenAiMessage[]): Promise<void> {
  if (history.length === 0 || !session.isNew) return;
  const { records, systemPrompt } = seedHistory(history, new Date().toISOString());
  if (systemPrompt !== undefined) session.host.setOverrides({ appendSystemPrompt: systemPrompt });
  if (records.length > 0) await (await session.host.session()).restore(records);
}

function toInvocation(commands: SessionCommands, planned: PlannedCommand): CommandInvocation | undefined {
  const { path, args, line, approvedCommands, confirmationOutcome } = planned;
  const answer = { approvedCommands, ...(confirmationOutcome !== undefined && { confirmationOutcome }) };
  if (path !== undefined) return { path, args, ...answer };
  const read = commands.read(line ?? '');
  return read && { ...read, ...answer };
}
