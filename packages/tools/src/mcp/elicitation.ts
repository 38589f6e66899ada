import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { ControlPayload, ControlResult } from '@qwen/protocol';
import { toPlainText, withPlainDescriptions } from './plain-text.js';

const MAX_MESSAGE_LENGTH = 4096;
const MAX_SCHEMA_TEXT_LENGTH = 1024;

/** What a server wants to know of the user. */
export type Elicitation = Omit<ControlPayload<'elicitation'>, 'server_name'>;
export type ElicitationAnswer = ControlResult<'elicitation'>;

/** Asks the user. `signal` aborts when the server takes the question back. Must not reject. */
export type Elicit = (question: Elicitation, options: { readonly signal: AbortSignal }) => Promise<ElicitationAnswer>;

export interface ElicitationOptions {
  readonly elicit: Elicit;
  /** Hears in words for people what became of an answer that the server must not get. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/**
 * Lets a server ask the user for the members of a form, and gives it only an answer that fits the form; what the user
 * left out has the default of the form (SEP-1034). Forms only: a server is never given a way to open a page (S99).
 */
export async function serveElicitations(client: Client, { elicit, onNotice }: ElicitationOptions): Promise<void> {
  const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }): Promise<ElicitResult> => {
    // The library has refused every other mode, because only forms were offered.
    if (!('requestedSchema' in params)) return { action: 'decline' };
    const { requestedSchema } = params;
    const schema: Record<string, unknown> = requestedSchema;
    const question = {
      message: toPlainText(params.message, MAX_MESSAGE_LENGTH),
      requested_schema: withPlainDescriptions(schema, MAX_SCHEMA_TEXT_LENGTH),
    };
    const answer = await elicit(question, { signal });
    if (answer.action !== 'accept') return { action: answer.action };
    const content = { ...defaultsOf(requestedSchema.properties), ...answer.content };
    const { AjvJsonSchemaValidator } = await import('@modelcontextprotocol/sdk/validation/ajv');
    const verdict = new AjvJsonSchemaValidator().getValidator(schema)(content);
    if (verdict.valid) return { action: 'accept', content };
    onNotice?.(`It did not get the answer to its question, which does not fit: ${verdict.errorMessage}`);
    return { action: 'decline' };
  });
}

type Content = NonNullable<ElicitationAnswer['content']>;

function defaultsOf(properties: Readonly<Record<string, { default?: Content[string] | undefined }>>): Content {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
}
