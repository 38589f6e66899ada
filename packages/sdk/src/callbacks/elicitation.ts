import { AgentError, CONTROL_REQUESTS, type ControlHandler } from '@qwen/protocol';
import * as z from 'zod/mini';

/** A form that an MCP server asks the user to fill in, or a web page that it asks the user to open. */
export interface ElicitationRequest {
  /** Show it to the user. */
  readonly serverName: string;
  /** Written by the server. */
  readonly message: string;
  /** `url`: show the host of `url`, and open the page only if the user agrees. */
  readonly mode: 'form' | 'url';
  /** With mode `url`: http or https, without credentials. */
  readonly url?: string | undefined;
  /** JSON Schema of an object with text, number, boolean and choice members; with mode `url`, an empty one. */
  readonly requestedSchema: Readonly<Record<string, unknown>>;
}

/** `decline`: the user refused. `cancel`: the user did not decide. */
export type ElicitationResult =
  | {
      action: 'accept';
      /** Members of the form. Missing ones get their default; content that does not match the schema is not sent. */
      content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
    }
  | { action: 'decline' }
  | { action: 'cancel' };

/**
 * Answers a form of an external MCP server, or agrees to a page after opening it. Calls may overlap; `signal` aborts when the request is withdrawn. A
 * throw, a malformed answer and one after `timeout.canUseTool` decline.
 */
export type OnElicitation = (
  request: ElicitationRequest,
  context: { readonly signal: AbortSignal },
) => ElicitationResult | Promise<ElicitationResult>;

/**
 * Serves `elicitation`. A missing callback, a throw and a malformed answer decline; the last two also go to
 * `onProblem`.
 */
export function createElicitationHandler(
  onElicitation: OnElicitation | undefined,
  onProblem: (error: AgentError) => void,
): ControlHandler<'elicitation'> {
  return async ({ server_name: serverName, message, mode = 'form', url, requested_schema }, { signal }) => {
    if (onElicitation === undefined) return { action: 'decline' };
    try {
      const page = url !== undefined && { url };
      const request = { serverName, message, mode, ...page, requestedSchema: requested_schema };
      const answer: unknown = await onElicitation(request, { signal });
      const parsed = z.safeParse(CONTROL_REQUESTS.elicitation.result, answer);
      if (parsed.success) return parsed.data;
      throw new AgentError('invalid_payload', 'onElicitation must return the action accept, decline or cancel.');
    } catch (thrown) {
      onProblem(AgentError.from(thrown, 'handler_failed'));
      return { action: 'decline' };
    }
  };
}
