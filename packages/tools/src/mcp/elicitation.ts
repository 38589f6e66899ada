import type { Client, ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import type { ControlPayload, ControlResult } from '@qwen/protocol';
import * as z from 'zod/mini';
import { toPlainText, withPlainDescriptions } from './plain-text.js';

const MAX_MESSAGE_LENGTH = 4096;
const MAX_SCHEMA_TEXT_LENGTH = 1024;
const MAX_URL_LENGTH = 4096;

export type Elicitation = Omit<ControlPayload<'elicitation'>, 'server_name'>;
export type ElicitationAnswer = ControlResult<'elicitation'>;

/** `signal` aborts when the server withdraws the question. Must not reject. */
export type Elicit = (question: Elicitation, options: { readonly signal: AbortSignal }) => Promise<ElicitationAnswer>;

export interface ElicitationOptions {
  readonly elicit: Elicit;
  /** For the user. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

type ElicitParams = ElicitRequest['params'];

const paramsSchema = z.union([
  z.looseObject({ mode: z.literal('url'), message: z.string(), url: z.string() }),
  z.looseObject({
    message: z.string(),
    requestedSchema: z.looseObject({ properties: z.record(z.string(), z.looseObject({})) }),
  }),
]);

/** Like {@link answerElicitation}, for a question that the library has not checked. */
export async function answerUnchecked(
  params: unknown,
  options: ElicitationOptions & { readonly signal: AbortSignal },
): Promise<ElicitResult> {
  const { data } = z.safeParse(paramsSchema, params);
  // The library's type of a form is narrower than what we read of it.
  return data === undefined ? { action: 'decline' } : answerElicitation(data as ElicitParams, options);
}

export function serveElicitations(client: Client, options: ElicitationOptions): void {
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
    answerElicitation(params, { ...options, signal: mcpReq.signal }),
  );
}

/** The answer must match the form; omitted members get their default (SEP-1034). */
async function answerElicitation(
  params: ElicitParams,
  { elicit, onNotice, signal }: ElicitationOptions & { readonly signal: AbortSignal },
): Promise<ElicitResult> {
  const message = toPlainText(params.message, MAX_MESSAGE_LENGTH);
  if (!('requestedSchema' in params)) {
    const url = pageOf(params.url);
    if (url === undefined) {
      onNotice?.('It asked to open an address that is not a web page.');
      return { action: 'decline' };
    }
    const { action } = await elicit({ message, mode: 'url', url, requested_schema: {} }, { signal });
    return { action };
  }
  const { requestedSchema } = params;
  const schema: Record<string, unknown> = requestedSchema;
  const question = { message, requested_schema: withPlainDescriptions(schema, MAX_SCHEMA_TEXT_LENGTH) };
  const answer = await elicit(question, { signal });
  if (answer.action !== 'accept') return { action: answer.action };
  const content = { ...defaultsOf(requestedSchema.properties), ...answer.content };
  const { schemaProblem } = await import('./schema-problem.js');
  const problem = schemaProblem(schema, content);
  if (problem === undefined) return { action: 'accept', content };
  onNotice?.(`Your answer was not sent because it does not match the form: ${problem}`);
  return { action: 'decline' };
}

/** A page that a browser may show, as the browser reads it: the host in it is the real one. */
function pageOf(address: string): string | undefined {
  if (address.length > MAX_URL_LENGTH || !URL.canParse(address)) return undefined;
  const { protocol, href, username, password } = new URL(address);
  const isPage = (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
  return isPage ? href : undefined;
}

type Content = NonNullable<ElicitationAnswer['content']>;

function defaultsOf(properties: Readonly<Record<string, { default?: Content[string] | undefined }>>): Content {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, { default: value }]) => (value === undefined ? [] : [[name, value]])),
  );
}
