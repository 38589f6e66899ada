import type { PermissionAnswer, PermissionPort, PermissionRequest } from '@qwen/agent';
import type { ConfirmationDetails, PermissionServiceApi } from '@qwen/host/service-apis.js';
import {
  AgentError,
  type ControlHandlers,
  type ControlPayload,
  type ControlResult,
  type ControlScope,
  defined,
  type PermissionSuggestion,
  readPermissionUpdates,
  type ToolVocabulary,
  toClaudeSuggestions,
  toolNameIn,
} from '@qwen/protocol';
import { agentFor, type ControlContext, type Controller, type InitializePayload } from './controller.js';

export interface PermissionControllerOptions {
  /** False for SDKs that reject our suggestions. */
  readonly sendsSuggestions: boolean;
  readonly toolNames: ToolVocabulary;
  readonly cwd: string;
  /** Whether an app that declares nothing answers questions of the model. Default false. */
  readonly answersQuestions?: boolean;
  /** Whether no one is asked until the mode changes. Default false. */
  readonly asksNoOne?: boolean;
}

interface Asking {
  readonly signal: AbortSignal;
  readonly place?: ControlScope;
}

/** `set_permission_mode` and `explain_permission` in, `can_use_tool` out. Any failure is a denial. */
export class PermissionController implements Controller, PermissionServiceApi {
  readonly #context: ControlContext;
  readonly #options: PermissionControllerOptions;
  /** The capability that the app declared, if any. */
  #isAnswered: boolean | undefined;
  #toolNames: ToolVocabulary;
  /** Keyed by session, since its mode was changed. */
  readonly #silences = new Map<string, boolean>();

  readonly handlers: Pick<ControlHandlers<'app'>, 'set_permission_mode' | 'explain_permission'> = {
    explain_permission: async ({ tool_name: name, input }, context) => {
      const explanation = await agentFor(this.#context.agents, context).explainCall({ name, input });
      return (await import('../explain-result.js')).toExplainResult(explanation);
    },
    set_permission_mode: ({ mode, asks = true }, context) => {
      const agent = agentFor(this.#context.agents, context);
      agent.setPermissionMode(mode);
      this.#silences.set(agent.sessionId, !asks);
      return { status: 'updated', mode };
    },
  };

  constructor(context: ControlContext, options: PermissionControllerOptions) {
    this.#context = context;
    this.#options = options;
    this.#toolNames = options.toolNames;
  }

  onInitialize({ canUseTool, toolNames = this.#toolNames }: InitializePayload): void {
    this.#isAnswered = canUseTool;
    this.#toolNames = toolNames;
  }

  get answersQuestions(): boolean {
    return (this.#isAnswered ?? this.#options.answersQuestions ?? false) && !this.isSilent();
  }

  about(place: () => ControlScope): PermissionPort {
    return { ask: (request, { signal }) => this.ask(request, { signal, place: place() }) };
  }

  async ask(request: PermissionRequest, how: Asking): Promise<PermissionAnswer> {
    if (this.#isAnswered === false) return unanswerable(request);
    if (this.isSilent(how.place?.sessionId)) return deny('Denied: this permission mode does not ask for approval.');
    try {
      return await this.#askApp(request, how);
    } catch (thrown) {
      const error = AgentError.from(thrown);
      if (!how.signal.aborted) {
        const { sessionId } = how.place ?? {};
        this.#context.reportFailure?.({
          subtype: 'can_use_tool',
          error,
          ...(sessionId !== undefined && { sessionId }),
        });
      }
      if (error.code === 'invalid_payload') {
        this.#context.announce({ code: 'invalid_permission_answer', message: `Denied: ${error.message}` });
      }
      if (UNANSWERED.has(error.code)) return deny(error.message);
      return { ...deny(error.message), reason: `The permission callback failed: ${error.message}` };
    }
  }

  /** Whether the mode of the session, by default of the current one, asks no one. */
  isSilent(sessionId = this.#context.agents.current.sessionId): boolean {
    return this.#silences.get(sessionId) ?? this.#options.asksNoOne ?? false;
  }

  /** In the terms of the app: about each file if the app's tool takes one and this one many. */
  async #askApp(request: PermissionRequest, how: Asking): Promise<PermissionAnswer> {
    const name = toolNameIn(this.#toolNames, request.toolName);
    if (name === request.toolName) return toAnswer(await this.#askOnce(request, request, how));
    const { toOwnInput, viewsOf } = await import('@qwen/host/hooks/call-views.js');
    const answers: Extract<PermissionAnswer, { behavior: 'allow' }>[] = [];
    for (const view of await viewsOf(request, name, this.#options.cwd)) {
      const answer = toAnswer(await this.#askOnce(request, { ...view, toolName: view.name }, how));
      if (answer.behavior === 'deny') return answer;
      const { updatedInput: changed, ...rest } = answer;
      const updatedInput = changed && toOwnInput(changed, view, request);
      answers.push({ ...rest, ...(updatedInput && { updatedInput }) });
    }
    const updatedPermissions = answers.flatMap((answer) => answer.updatedPermissions ?? []);
    return { ...answers.at(-1), behavior: 'allow', ...(updatedPermissions.length > 0 && { updatedPermissions }) };
  }

  #askOnce(request: PermissionRequest, view: Pick<PermissionRequest, 'toolName' | 'input'>, how: Asking) {
    return this.#context.app.ask('can_use_tool', this.#toPayload(request, view), how);
  }

  /** Null if the input is invalid. */
  async buildPermissionSuggestions(details: ConfirmationDetails): Promise<PermissionSuggestion[] | null> {
    const { suggestionsFor } = await import('@qwen/agent');
    return suggestionsFor(details.kind, details.input, details.rules);
  }

  #suggestionsOf({ suggestions }: PermissionRequest): ControlPayload<'can_use_tool'>['permission_suggestions'] {
    if (this.#toolNames === 'qwen') return this.#options.sendsSuggestions ? [...suggestions] : [];
    // Updates are unknown kinds of suggestions.
    return toClaudeSuggestions(suggestions) as never;
  }

  #toPayload(request: PermissionRequest, { toolName, input }: Pick<PermissionRequest, 'toolName' | 'input'>) {
    return {
      tool_name: toolName,
      ...(toolName !== request.toolName && { canonical_tool_name: request.toolName }),
      tool_use_id: request.callId,
      input,
      permission_suggestions: this.#suggestionsOf(request),
      blocked_path: request.blockedPath,
      reason: request.reason,
      ...defined({ parent_tool_use_id: request.parentToolUseId, agent: request.agent }),
    };
  }
}

const UNANSWERED: ReadonlySet<string> = new Set(['timeout', 'cancelled', 'channel_closed']);

function deny(message: string): Extract<PermissionAnswer, { behavior: 'deny' }> {
  return { behavior: 'deny', message };
}

function unanswerable({ toolName, reason, suggestions }: PermissionRequest): PermissionAnswer {
  const rules = suggestions.flatMap((suggestion) => suggestion.rules ?? []);
  const allowed = JSON.stringify(rules.length > 0 ? rules : [toolName]);
  return {
    ...deny(`Permission denied: ${toolName} needs an approval, and the app does not answer permission requests.`),
    reason: `${reason} No one could answer: set canUseTool to decide in the app, permissionMode to allow more, or allowedTools to ${allowed}.`,
  };
}

/** Throws `invalid_payload`. */
function toAnswer(result: ControlResult<'can_use_tool'>): PermissionAnswer {
  const updatedPermissions = readPermissionUpdates(result.updatedPermissions);
  const permissions = updatedPermissions.length > 0 ? { updatedPermissions } : {};
  if (result.behavior === 'allow') {
    const { updatedInput } = result;
    const isChanged = Object.keys(updatedInput ?? {}).length > 0;
    return { behavior: 'allow', ...(updatedInput && isChanged && { updatedInput }), ...permissions };
  }
  const { message, interrupt, reason } = result;
  return {
    behavior: 'deny',
    message: message ?? 'Denied',
    interrupt: interrupt ?? false,
    ...(typeof reason === 'string' && { reason }),
    ...permissions,
  };
}
