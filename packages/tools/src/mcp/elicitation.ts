import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import type { ControlPayload, ControlResult } from '@qwen/protocol';
import { toPlainText, withPlainDescriptions } from './plain-text.js';

const MAX_MESSAGE_LENGTH = 4096;
const MAX_SCHEMA_TEXT_LENGTH = 1024;

export type Elicitation = Omit<ControlPayload<'elicitation'>, 'server_name'>;
export type ElicitationAnswer = ControlResult<'elicitation'>;

/** `signal` aborts when the server withdraws the question. Must not reject. */
export type Elicit = (question: Elicitation, options: { readonly signal: AbortSignal }) => Promise<ElicitationAnswer>;

export interface ElicitationOptions {
  readonly elicit: Elicit;
  /** For the user. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** The answer must match the form; omitted members get their default (SEP-1034). */
export async function serveElicitations(client: Client, { elicit, onNotice }: ElicitationOptions): Promise<void> {
  const { ElicitRequestSchema } = await import('@modelcontextprotocol/sdk/types.js');
  client.setRequestHandler(ElicitRequestSchema, async ({ params }, { signal }): Promise<ElicitResult> => {
    // The library rejects other modes.
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
    onNotice?.(`Your answer was not sent because it does not match the form: ${verdict.errorMessage}`);
    return { action: 'decline' };
  });
}

type Content = NonNullable<ElicitationAnswer['content']>;

function defaultsOf(properties: Readonly<Record<string, { default?: Content[string] | undefined }>>): Content {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
}
