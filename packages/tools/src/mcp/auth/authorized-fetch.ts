import type { FetchLike } from '@modelcontextprotocol/client';
import { AgentError } from '@qwen/protocol';
import type { AuthChallenge, TokenSource } from './token-source.js';

export interface AuthorizedFetchOptions {
  readonly fetch: FetchLike;
  readonly source: TokenSource;
  /** The only origin that gets the token. */
  readonly serverUrl: URL;
  /** For the token, instead of a header. */
  readonly tokenParamName?: string | undefined;
}

const MAX_RENEWALS = 3;

/** Retries with a new token when the server refuses one. */
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
      if (renewals === MAX_RENEWALS || !(await source.renew(challenge))) {
        throw new AgentError('mcp_auth_required', `${serverUrl.host} rejected the token (HTTP ${response.status}).`);
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
      // A configured header wins.
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
      return fetch(to, { ...init, headers });
    }
  };
}

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

/** Reads a member of a `WWW-Authenticate: Bearer` header. */
function memberOf(header: string, name: string): string | undefined {
  if (!/^bearer\b/i.test(header)) return undefined;
  const [, quoted, plain] = new RegExp(`[\\s,]${name}=(?:"([^"]*)"|([^\\s,"]+))`, 'i').exec(header) ?? [];
  return quoted ?? plain;
}
