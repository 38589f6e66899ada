import type { PermissionAnswer, PermissionPort, PermissionRequest } from '@qwen/agent';
import type { ConfirmationDetails, PermissionServiceApi } from '@qwen/host/service-apis.js';
import {
  AgentError,
  type ControlHandlers,
  type ControlPlace,
  type ControlResult,
  type PermissionSuggestion,
} from '@qwen/protocol';
import { agentFor, type ControlContext } from '../control-context.js';
import type { Controller, InitializePayload } from './controller.js';

export interface PermissionControllerOptions {
  /** False for SDKs that reject our suggestions. */
  readonly sendsSuggestions: boolean;
}

interface Asking {
  readonly signal: AbortSignal;
  readonly place?: ControlPlace;
}

/** `set_permission_mode` and `explain_permission` in, `can_use_tool` out. Any failure is a denial. */
export class PermissionController implements Controller, PermissionServiceApi {
  readonly #context: ControlContext;
  readonly #options: PermissionControllerOptions;
  /** The capability that the app declared, if any. */
  #isAnswered: boolean | undefined;

  readonly handlers: Pick<ControlHandlers<'app'>, 'set_permission_mode' | 'explain_permission'> = {
    explain_permission: async ({ tool_name: name, input }, context) => {
      const explanation = await agentFor(this.#context.agents, context).explainCall({ name, input });
      return (await import('../explain-result.js')).toExplainResult(explanation);
    },
    set_permission_mode: ({ mode }, context) => {
      agentFor(this.#context.agents, context).setPermissionMode(mode);
      return { status: 'updated', mode };
    },
  };

  constructor(context: ControlContext, options: PermissionControllerOptions) {
    this.#context = context;
    this.#options = options;
  }

  onInitialize({ canUseTool }: InitializePayload): void {
    this.#isAnswered = canUseTool;
  }

  get answersQuestions(): boolean {
    return this.#isAnswered === true;
  }

  about(place: () => ControlPlace): PermissionPort {
    return { ask: (request, { signal }) => this.ask(request, { signal, place: place() }) };
  }

  async ask(request: PermissionRequest, how: Asking): Promise<PermissionAnswer> {
    if (this.#isAnswered === false)
      return deny(`${request.toolName} needs permission, and the app does not answer permission requests.`);
    try {
      return toAnswer(await this.#context.app.ask('can_use_tool', this.#toPayload(request), how));
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
      return deny(error.message);
    }
  }

  /** Null if the input is invalid. */
  async buildPermissionSuggestions(details: ConfirmationDetails): Promise<PermissionSuggestion[] | null> {
    const { suggestionsFor } = await import('@qwen/agent');
    return suggestionsFor(details.kind, details.input, details.rules);
  }

  #toPayload(request: PermissionRequest) {
    return {
      tool_name: request.toolName,
      tool_use_id: request.callId,
      input: request.input,
      permission_suggestions: this.#options.sendsSuggestions ? [...request.suggestions] : [],
      blocked_path: request.blockedPath,
      reason: request.reason,
      ...(request.parentToolUseId !== undefined && { parent_tool_use_id: request.parentToolUseId }),
      ...(request.agent !== undefined && { agent: request.agent }),
    };
  }
}

function deny(message: string): PermissionAnswer {
  return { behavior: 'deny', message };
}

function toAnswer(result: ControlResult<'can_use_tool'>): PermissionAnswer {
  const { updatedPermissions } = result;
  const permissions = updatedPermissions ? { updatedPermissions } : {};
  if (result.behavior === 'allow') {
    const { updatedInput } = result;
    return { behavior: 'allow', ...(updatedInput && { updatedInput }), ...permissions };
  }
  const { message, interrupt } = result;
  return { behavior: 'deny', message: message ?? 'Denied', interrupt: interrupt ?? false, ...permissions };
}
