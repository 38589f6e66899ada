import { AgentError, TOOL_TABLE, toolAliases } from '@qwen/protocol';
import { type Decision, decide as decideCall } from '../permission/decide.js';
import { baseName, type ShellReading } from '../permission/shell/shell-reading.js';
import { suggestionsFor } from '../permission/suggestions.js';
import type { PermissionAnswer, PermissionRequest } from '../ports.js';
import type { ToolPreview } from '../tool-view.js';
import { unlessAborted } from './abortable.js';
import type { RequestedCall } from './answer-builder.js';
import { runPermissionHooks } from './hooks/call-hooks.js';
import { runHooks } from './hooks/run-hooks.js';
import { Limiter } from './limiter.js';
import type { PreparedCall } from './prepare-call.js';
import { parentOf, type TurnContext } from './turn-context.js';

const MAX_OPEN_QUESTIONS = 16;

export interface Question {
  readonly prepared: PreparedCall;
  readonly context: TurnContext;
  readonly decide: () => Decision;
  /** An earlier call may still make this one possible. */
  readonly mayFitLater: () => boolean;
}

/** The answer, what made the question unnecessary, or its withdrawal at the end of the turn. */
export type Settled =
  | { readonly answer: PermissionAnswer; readonly preview: ToolPreview }
  | { readonly decision: Decision }
  | { readonly failure: AgentError }
  | { readonly isWithdrawn: true };

type Put = { readonly answer: Promise<Settled> } | Exclude<Settled, { readonly answer: PermissionAnswer }>;

/** Never rejects. Opens questions in the order of the calls. */
export class Questions {
  readonly #open = new Limiter(MAX_OPEN_QUESTIONS);
  readonly #opening = new Limiter(1);

  ask(call: RequestedCall, question: Question): Promise<Settled> {
    return this.#open.run(async () => {
      const put = await this.#opening.run(() => openQuestion(call, question));
      return 'answer' in put ? put.answer : put;
    });
  }
}

/** Resolves once the question is open, so that the next one can follow. */
async function openQuestion(call: RequestedCall, question: Question): Promise<Put> {
  const { prepared, context, decide, mayFitLater } = question;
  // Another answer may have decided the call in the meantime; checked again after the preview.
  const before = decide();
  if (before.behavior !== 'ask') return { decision: before };
  const { signal } = context.control;
  const preview = await unlessAborted(createPreview(prepared, context, before.reason), signal);
  if (preview.aborted) return { isWithdrawn: true };
  const { failure } = preview.value;
  if (failure !== undefined && !mayFitLater()) return { failure };
  const decision = decide();
  if (decision.behavior !== 'ask') return { decision };
  const request = toRequest(call, { prepared, context, decision, preview: preview.value.preview });
  const put = () => putQuestion(request, context);
  return { answer: context.hooks.has('PermissionRequest') ? askHooksFirst(call, { question, request, put }) : put() };
}

interface HookedQuestion {
  readonly question: Question;
  readonly request: PermissionRequest;
  readonly put: () => Promise<Settled>;
}

/** A question that hooks answer is never shown. */
async function askHooksFirst(call: RequestedCall, { question, request, put }: HookedQuestion): Promise<Settled> {
  const { prepared, context, decide } = question;
  const settled = await runPermissionHooks(call, { prepared, request }, context);
  if (settled !== undefined && 'denied' in settled) {
    return { decision: { behavior: 'deny', decidedBy: 'hook', reason: settled.denied, blockedPath: null } };
  }
  if (context.control.signal.aborted) return { isWithdrawn: true };
  // Another answer may have decided the call while the hooks ran.
  const decision = decide();
  if (decision.behavior !== 'ask') return { decision };
  return settled === undefined ? put() : { ...settled, preview: request.preview };
}

function putQuestion(request: PermissionRequest, context: TurnContext): Promise<Settled> {
  const { callId, input, reason, suggestions } = request;
  const asked = { callId, name: request.toolName, input, reason, suggestions, preview: request.preview };
  context.showLive({ type: 'tool_asking', ...asked, parentToolUseId: parentOf(context) });
  void runHooks(
    { event: 'Notification', kind: 'permission_prompt', message: `${request.toolName} is waiting for an answer.` },
    context,
  );
  return awaitAnswer(request, context);
}

interface RequestParts {
  readonly prepared: PreparedCall;
  readonly context: TurnContext;
  readonly decision: Decision;
  readonly preview: ToolPreview;
}

function toRequest(call: RequestedCall, { prepared, context, decision, preview }: RequestParts): PermissionRequest {
  const { tool, rawInput, facts } = prepared;
  const { subagent } = context;
  // An allow rule would not help against an ask rule.
  const offers =
    decision.decidedBy === 'default' || decision.decidedBy === 'changed_tool'
      ? context.rules.current.offersFor(facts)
      : [];
  return {
    toolName: tool.name,
    callId: call.id,
    input: rawInput,
    suggestions: suggestionsFor(tool.isQuestion === true ? 'other' : tool.kind, rawInput, offers) ?? [],
    blockedPath: decision.blockedPath,
    reason: decision.reason,
    preview,
    ...(subagent !== undefined && { agent: subagent.name, parentToolUseId: subagent.parentToolUseId }),
  };
}

async function awaitAnswer(request: PermissionRequest, { permissions, control }: TurnContext): Promise<Settled> {
  const { signal } = control;
  const { preview } = request;
  try {
    const settled = await unlessAborted(permissions.ask(request, { signal }), signal);
    return settled.aborted ? { isWithdrawn: true } : { answer: settled.value, preview };
  } catch (thrown) {
    // The port never rejects; if it does, the call must not run.
    const message = `The question could not be asked: ${AgentError.from(thrown).message}`;
    return { answer: { behavior: 'deny', message }, preview };
  }
}

interface CreatedPreview {
  readonly preview: ToolPreview;
  /** Why the call cannot succeed. */
  readonly failure?: AgentError;
}

async function createPreview(prepared: PreparedCall, context: TurnContext, reason: string): Promise<CreatedPreview> {
  const { tool, input, facts, realPaths } = prepared;
  const { command, shell } = facts;
  const plain: ToolPreview =
    command === undefined
      ? { type: 'info', prompt: reason, urls: [] }
      : { type: 'exec', command, rootCommand: rootCommandOf(command, shell?.reading) };
  try {
    const preview = await tool.preview?.(input, {
      cwd: context.cwd,
      signal: context.control.signal,
      realPaths,
      namesHost: (host) => context.rules.current.namesHost(host),
    });
    return { preview: preview ?? plain };
  } catch (thrown) {
    // The error of an edit quotes the file: the model must be allowed to read it.
    const mayReveal = facts.kind === 'edit' ? mayRead(prepared, context) : AgentError.is(thrown);
    return mayReveal ? { preview: plain, failure: AgentError.from(thrown, 'tool_failed') } : { preview: plain };
  }
}

function mayRead({ facts }: PreparedCall, { settings, rules }: TurnContext): boolean {
  const paths = facts.paths.map((path) => ({ ...path, access: 'read' as const }));
  const { name: toolName, kind } = TOOL_TABLE.read_file;
  const call = { toolName, aliases: toolAliases(toolName), kind, paths };
  return decideCall({ mode: settings().permissionMode, rules: rules.current, call }).behavior === 'allow';
}

/** Each program once; the first word of a command that was not read. */
function rootCommandOf(command: string, reading: ShellReading | undefined): string {
  const programs = reading?.commands.flatMap(({ words: [first] }) => (first ? [baseName(first.text)] : [])) ?? [];
  return programs.length > 0 ? [...new Set(programs)].join(', ') : (/\S+/.exec(command)?.[0] ?? command);
}
