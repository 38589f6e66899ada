import type { FetchLike, OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { AgentError, defined, type McpOAuthConfig } from '@qwen/protocol';
import { assertSafeUrl } from './address-check.js';
import type { AuthStorage } from './auth-storage.js';
import { checkedFetch } from './checked-fetch.js';
import { signedAuthentication } from './client-key.js';
import { configuredDiscovery } from './configured-discovery.js';
import { assertDiscovery } from './discovery-check.js';
import { identityAssertion } from './identity-assertion.js';
import { readSecret } from './secret-text.js';
import type { AuthChallenge, TokenSource } from './token-source.js';

export interface MachineSourceOptions {
  readonly serverUrl: URL;
  readonly storage: AuthStorage;
  readonly config: McpOAuthConfig;
  readonly fetch: FetchLike;
}

/**
 * Tokens without a sign-in (SEP-1046, SEP-990, SEP-1933), by client secret, key, workload or identity assertion.
 * Throws `invalid_options` without a client ID.
 */
export class MachineSource implements TokenSource {
  readonly #options: MachineSourceOptions;
  readonly #clientId: string;
  #token: string | undefined;
  #renewal: Promise<boolean> | undefined;

  constructor(options: MachineSourceOptions) {
    const { clientId, grantType } = options.config;
    if (clientId === undefined) throw new AgentError('invalid_options', `oauth: ${grantType} needs clientId`);
    this.#options = options;
    this.#clientId = clientId;
  }

  token(): Promise<string | undefined> {
    return Promise.resolve(this.#token);
  }

  /** Concurrent calls share one new token. */
  renew(challenge: AuthChallenge): Promise<boolean> {
    this.#renewal ??= this.#renew(challenge).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(challenge: AuthChallenge): Promise<boolean> {
    const { serverUrl, fetch } = this.#options;
    const before = this.#token;
    const { resourceMetadataUrl } = challenge;
    try {
      assertSafeUrl(serverUrl, 'A server that is signed in to');
      const { auth } = await import('@modelcontextprotocol/client');
      await auth(await this.#provider(challenge), {
        serverUrl,
        fetchFn: checkedFetch(fetch, serverUrl),
        ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl }),
      });
    } catch (thrown) {
      const { toTransportError } = await import('../request-error.js');
      throw await toTransportError(thrown, `The sign-in to ${serverUrl.host}`);
    }
    return this.#token !== before;
  }

  /** Without a redirect address, the client library requests a token right away. */
  async #provider(challenge: AuthChallenge): Promise<OAuthClientProvider> {
    const { config, storage } = this.#options;
    const record = (await storage.load()) ?? {};
    const { clientSecret } = config;
    const known = record.client?.client_id === this.#clientId ? record.client.issuer : undefined;
    let issuer = config.issuer ?? known;
    const scope = challenge.scope ?? config.scopes?.join(' ');
    const hasKey = config.privateKey !== undefined || config.privateKeyFile !== undefined;
    let discovery = discoveryOf(config);
    return {
      redirectUrl: undefined,
      clientMetadata: { client_name: 'qwen', redirect_uris: [], ...(scope && { scope }) },
      clientInformation: async (context) => {
        // Bound to the first authorization server. The library would bind it too, but print a warning.
        if (issuer === undefined && context?.issuer !== undefined) {
          issuer = context.issuer;
          await storage.save({ ...record, client: { client_id: this.#clientId, issuer } });
        }
        return { client_id: this.#clientId, ...defined({ client_secret: clientSecret, issuer }) };
      },
      ...(hasKey && { addClientAuthentication: await signedAuthentication(this.#clientId, config) }),
      discoveryState: () => discovery,
      saveDiscoveryState: (found) => {
        assertDiscovery(found);
        discovery = found;
      },
      prepareTokenRequest: () => this.#grant(discovery, scope),
      tokens: () => undefined,
      saveTokens: (tokens) => {
        this.#token = tokens.access_token;
      },
      redirectToAuthorization: rejectUserStep,
      saveCodeVerifier: rejectUserStep,
      codeVerifier: rejectUserStep,
    };
  }

  async #grant(discovery: OAuthDiscoveryState | undefined, scope: string | undefined): Promise<URLSearchParams> {
    const { config, serverUrl, fetch } = this.#options;
    const scopes = scope === undefined ? {} : { scope };
    if (config.grantType === 'client_credentials') {
      return new URLSearchParams({ grant_type: 'client_credentials', ...scopes });
    }
    const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', ...scopes };
    if (config.assertion !== undefined || config.assertionFile !== undefined) {
      const place = { name: 'oauth.assertion', text: config.assertion, file: config.assertionFile };
      return new URLSearchParams({ ...grant, assertion: await readSecret(place) });
    }
    const audience = discovery?.authorizationServerMetadata?.issuer ?? discovery?.authorizationServerUrl;
    if (audience === undefined) throw new AgentError('mcp_failed', 'No authorization server was found.');
    const resource = discovery?.resourceMetadata?.resource ?? serverUrl.href;
    const assertion = await identityAssertion({ config, audience, resource, scope, fetch });
    return new URLSearchParams({ ...grant, assertion });
  }
}

function discoveryOf(config: McpOAuthConfig): OAuthDiscoveryState | undefined {
  // No user visits the authorization page.
  const { tokenUrl, authorizationUrl = tokenUrl } = config;
  return configuredDiscovery({ ...config, ...(authorizationUrl !== undefined && { authorizationUrl }) });
}

function rejectUserStep(): never {
  throw new AgentError('internal', 'A machine sign-in must not involve a user.');
}
