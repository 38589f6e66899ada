/** A question of an MCP server to the user. */
export interface ElicitationRequest {
  /** Which server asks; to be shown to the user. */
  readonly serverName: string;
  /** What it wants to know, in its words. */
  readonly message: string;
  /** The form: JSON Schema of an object whose members are texts, numbers, booleans or choices. */
  readonly requestedSchema: Readonly<Record<string, unknown>>;
}

/** The answer of the user, or that there is none: `decline` means no, `cancel` that the user did not decide. */
export type ElicitationResult =
  | {
      action: 'accept';
      /** The members of the form. A missing one gets its default; an answer that does not fit is not passed on. */
      content?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined;
    }
  | { action: 'decline' }
  | { action: 'cancel' };

/**
 * Answers a question of an MCP server, with whatever the user says. Called only for servers that this process does not
 * host; several may run at once. `signal` aborts when the question is withdrawn. A throw, an answer of another shape
 * and one after the deadline `timeout.canUseTool` decline.
 */
export type OnElicitation = (
  request: ElicitationRequest,
  context: { readonly signal: AbortSignal },
) => ElicitationResult | Promise<ElicitationResult>;
