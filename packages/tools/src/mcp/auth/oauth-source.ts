import { randomBytes } from 'node:crypto';
import type { FetchLike } from '@modelcontextprotocol/client';
import { AgentError, defined, type McpOAuthConfig } from '@qwen/protocol';
import { assertSafeUrl } from './address-check.js';
import type { AuthStorage } from './auth-storage.js';
import { checkedFetch } from './checked-fetch.js';
import { assertIssuer } from './discovery-check.js';
import { OAuthSession } from './oauth-session.js';
import { listenForRedirect, type RedirectListener } from './redirect-listener.js';
import type { AuthChallenge, TokenSource } from './token-source.js';

export interface OAuthSourceOptions {
  readonly serverUrl: URL;
  readonly storage: AuthStorage;
  readonly config: McpOAuthConfig;
  readonly fetch: FetchLike;
  /** Shows the user the sign-in address. Must not throw. */
  readonly onAuthorizationUrl: (url: URL) => void;
  /** `later`: `renew` rejects, and `onSignedIn` is called after the sign-in. */
  readonly patience: 'wait' | 'later';
  readonly onSignedIn?: () => void;
}

/**
 * OAuth 2.1 as MCP requires: discovery (RFC 9728, 8414), PKCE with S256, state, loopback redirect, resource (RFC
 * 8707), renewal.
 */
export class OAuthSource implements TokenSource {
  readonly #options: OAuthSourceOptions;
  #pending: RedirectListener | undefined;

  constructor(options: OAuthSourceOptions) {
    this.#options = options;
  }

  async token(): Promise<string | undefined> {
    const record = await this.#options.storage.load();
    return record?.tokens?.access_token;
  }

  async renew(challenge: AuthChallenge): Promise<boolean> {
    const { serverUrl, patience, config, fetch } = this.#options;
    assertSafeUrl(serverUrl, 'A server that is signed in to');
    this.#pending?.close();
    const state = randomBytes(32).toString('base64url');
    const listener = await listenForRedirect({ state, redirectUri: config.redirectUri });
    try {
      const { auth, computeScopeUnion } = await import('@modelcontextprotocol/client');
      const session = await OAuthSession.open({
        ...this.#options,
        redirectUrl: listener.redirectUrl,
        state,
        onAuthorizationUrl: (url) => this.#options.onAuthorizationUrl(url),
      });
      // Renewing returns the same scope.
      const granted = session.tokens()?.scope;
      if (challenge.isStepUp) await session.invalidateCredentials('tokens');
      // A step up keeps what was granted before.
      const scope = challenge.isStepUp ? computeScopeUnion(granted, challenge.scope) : challenge.scope;
      const { resourceMetadataUrl } = challenge;
      const target = { serverUrl, fetchFn: checkedFetch(fetch, serverUrl), ...defined({ resourceMetadataUrl, scope }) };
      if ((await auth(session, target)) === 'AUTHORIZED') {
        listener.close();
        return true;
      }
      this.#pending = listener;
      const finished = listener.answer.then(async ({ code, issuer }) => {
        assertIssuer(issuer, session.discovery);
        await auth(session, { ...target, authorizationCode: code, ...defined({ iss: issuer }) });
      });
      if (patience === 'wait') {
        await finished;
        return true;
      }
      finished.then(() => this.#options.onSignedIn?.()).catch(() => undefined);
      throw new AgentError('mcp_auth_required', `${serverUrl.host} requires a sign-in.`);
    } catch (thrown) {
      if (this.#pending !== listener) listener.close();
      throw await toAuthError(thrown, serverUrl);
    }
  }

  /** Cancels a pending sign-in. */
  close(): void {
    this.#pending?.close();
  }
}

async function toAuthError(thrown: unknown, serverUrl: URL): Promise<AgentError> {
  const { toTransportError } = await import('../request-error.js');
  return toTransportError(thrown, `The sign-in to ${serverUrl.host}`);
}
