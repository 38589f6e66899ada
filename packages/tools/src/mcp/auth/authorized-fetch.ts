import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { AgentError } from '@qwen/protocol';
import type { AuthChallenge, TokenSource } from './token-source.js';

export interface AuthorizedFetchOptions {
  readonly fetch: FetchLike;
  readonly source: TokenSource;
  /** The token goes to this server and to no other origin (S104). */
  readonly serverUrl: URL;
  /** Send the token as this member of the query instead of a header. */
  readonly tokenParamName?: string | undefined;
}

/** A request is sent again with new tokens this often; servers that ask for ever more are refused. */
const MOST_RENEWALS = 3;

/** Sends requests to a server with the token that it wants, and once more with a better one where it says so. */
export function authorizedFetch(options: AuthorizedFetchOptions): FetchLike {
  const { fetch, source, serverUrl, tokenParamName } = options;
  return async (url, init) => {
    const target = new URL(url);
    if (target.origin !== serverUrl.origin) return fetch(url, init);
    for (let renewals = 0; ; renewals += 1) {
      const response = await sendWith(await source.token(), target);
      const challenge = challengeOf(response);
      if (challenge === undefined) return response;
      await response.body?.cancel();
      if (renewals === MOST_RENEWALS || !(await source.renew(challenge))) {
        throw new AgentError('mcp_auth_required', `${serverUrl.host} refuses the token (HTTP ${response.status}).`);
      }
    }

    function sendWith(token: string | undefined, to: URL): Promise<Response> {
      if (token === undefined) return fetch(to, init);
      if (tokenParamName !== undefined) {
        const withToken = new URL(to);
        withToken.searchParams.set(tokenParamName, token);
        return fetch(withToken, init);
      }
      const headers = new Headers(init?.headers);
      // What the configuration says itself wins.
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
      return fetch(to, { ...init, headers });
    }
  };
}

/** What the server asks for when it refuses; undefined when it does not refuse for want of a token. */
function challengeOf(response: Response): AuthChallenge | undefined {
  if (response.status !== 401 && response.status !== 403) return undefined;
  const header = response.headers.get('www-authenticate') ?? '';
  if (response.status === 403 && memberOf(header, 'error') !== 'insufficient_scope') return undefined;
  const address = memberOf(header, 'resource_metadata');
  return {
    resourceMetadataUrl: address !== undefined && URL.canParse(address) ? new URL(address) : undefined,
    scope: memberOf(header, 'scope'),
    isStepUp: response.status === 403,
  };
}

/** A member of a `WWW-Authenticate: Bearer` header, quoted or not. */
function memberOf(header: string, name: string): string | undefined {
  if (!/^bearer\b/i.test(header)) return undefined;
  const [, quoted, plain] = new RegExp(`[\\s,]${name}=(?:"([^"]*)"|([^\\s,"]+))`, 'i').exec(header) ?? [];
  return quoted ?? plain;
}
