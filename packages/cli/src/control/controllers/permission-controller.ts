import type { PermissionAnswer, PermissionPort, PermissionRequest } from '@qwen/agent';
import { AgentError, type ControlHandlers, type ControlResult } from '@qwen/protocol';
import type { ControlContext } from '../control-context.js';
import type { Controller, InitializePayload } from './controller.js';

export interface PermissionControllerOptions {
  /** Whether questions carry suggestions; some SDKs refuse ours. */
  readonly sendsSuggestions: boolean;
}

/** Permissions: `set_permission_mode` in, `can_use_tool` out. Whatever goes wrong with a question is a deny (M-50). */
export class PermissionController implements Controller, PermissionPort {
  readonly #context: ControlContext;
  readonly #options: PermissionControllerOptions;
  #isAnswered = true;

  readonly handlers: Pick<ControlHandlers<'app'>, 'set_permission_mode'> = {
    set_permission_mode: ({ mode }) => {
      this.#context.agent.setPermissionMode(mode);
      return { status: 'updated', mode };
    },
  };

  constructor(context: ControlContext, options: PermissionControllerOptions) {
    this.#context = context;
    this.#options = options;
  }

  onInitialize({ canUseTool }: InitializePayload): void {
    this.#isAnswered = canUseTool ?? true;
  }

  async ask(request: PermissionRequest, { signal }: { readonly signal: AbortSignal }): Promise<PermissionAnswer> {
    if (!this.#isAnswered) return deny(`${request.toolName} needs permission, and the app answers no questions.`);
    try {
      return toAnswer(await this.#context.app.ask('can_use_tool', this.#toPayload(request), { signal }));
    } catch (thrown) {
      const error = AgentError.from(thrown);
      if (error.code === 'invalid_payload') {
        this.#context.announce({ code: 'invalid_permission_answer', message: `Denied: ${error.message}` });
      }
      return deny(error.message);
    }
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
  if (result.behavior === 'allow') {
    const { updatedInput } = result;
    return updatedInput === undefined || updatedInput === null
      ? { behavior: 'allow' }
      : { behavior: 'allow', updatedInput };
  }
  return { behavior: 'deny', message: result.message ?? 'Denied', interrupt: result.interrupt ?? false };
}
