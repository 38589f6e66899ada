import type { FetchLike } from '@modelcontextprotocol/client';
import { AgentError, defined, type McpOAuthConfig } from '@qwen/protocol';
import * as z from 'zod/mini';
import { checkedFetch } from './checked-fetch.js';
import { readSecret } from './secret-text.js';

const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

const answerSchema = z.object({ access_token: z.string(), issued_token_type: z.literal(ID_JAG) });

export interface AssertionRequest {
  readonly config: McpOAuthConfig;
  readonly audience: string;
  readonly resource: string;
  readonly scope?: string | undefined;
  readonly fetch: FetchLike;
}

/**
 * Exchanges the user's ID token (RFC 8693). Rejects with `invalid_options` for an incomplete configuration and
 * `mcp_auth_required` if the provider refuses.
 */
export async function identityAssertion(request: AssertionRequest): Promise<string> {
  const { config, audience, resource, scope, fetch } = request;
  const { identityProvider: provider } = config;
  if (provider === undefined || !URL.canParse(provider.tokenUrl)) {
    throw new AgentError('invalid_options', 'oauth.identityProvider needs the URL tokenUrl');
  }
  const { idToken: text, idTokenFile: file, clientId, clientSecret } = provider;
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: ID_JAG,
    subject_token: await readSecret({ name: 'oauth.identityProvider.idToken', text, file }),
    subject_token_type: ID_TOKEN,
    audience,
    resource,
    client_id: clientId,
    ...defined({ client_secret: clientSecret, scope }),
  });
  const url = new URL(provider.tokenUrl);
  const response = await checkedFetch(fetch, url)(url, { method: 'POST', body: form });
  const answer: unknown = await response.json().catch(() => undefined);
  const parsed = z.safeParse(answerSchema, answer);
  if (response.ok && parsed.success) return parsed.data.access_token;
  const message = `${url.host} rejected the ID token (HTTP ${response.status}). Sign in to the identity provider again.`;
  throw new AgentError('mcp_auth_required', message);
}
