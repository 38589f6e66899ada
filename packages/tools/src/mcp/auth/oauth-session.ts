import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client';
import { AgentError, type McpOAuthConfig } from '@qwen/protocol';
import type { AuthRecord, AuthStorage } from './auth-storage.js';
import { configuredDiscovery } from './configured-discovery.js';
import { assertDiscovery } from './discovery-check.js';

export interface OAuthSessionOptions {
  readonly storage: AuthStorage;
  readonly config: McpOAuthConfig;
  readonly redirectUrl: URL;
  readonly state: string;
  /** Receives the address of the sign-in page. */
  readonly onAuthorizationUrl: (url: URL) => void;
}

/** One sign-in. Checks what comes from outside before storing it. */
export class OAuthSession implements OAuthClientProvider {
  readonly #options: OAuthSessionOptions;
  #record: AuthRecord;
  #verifier: string | undefined;
  #discovery: OAuthDiscoveryState | undefined;

  private constructor(options: OAuthSessionOptions, record: AuthRecord) {
    this.#options = options;
    this.#record = record;
  }

  static async open(options: OAuthSessionOptions): Promise<OAuthSession> {
    return new OAuthSession(options, (await options.storage.load()) ?? {});
  }

  get redirectUrl(): URL {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scopes } = this.#options.config;
    return {
      client_name: 'qwen',
      redirect_uris: [this.redirectUrl.href],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: this.#options.config.clientSecret === undefined ? 'none' : 'client_secret_post',
      ...(scopes !== undefined && scopes.length > 0 && { scope: scopes.join(' ') }),
    };
  }

  get discovery(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  state(): string {
    return this.#options.state;
  }

  async clientInformation(context?: { readonly issuer: string }): Promise<OAuthClientInformationMixed | undefined> {
    const { clientId, clientSecret, issuer: configured } = this.#options.config;
    const { client, tokens } = this.#record;
    if (clientId !== undefined) {
      const known = configured ?? (client?.client_id === clientId ? client.issuer : undefined);
      const issuer = known ?? context?.issuer;
      // The library would bind it too, but print a warning.
      if (known === undefined && issuer !== undefined)
        await this.saveClientInformation({ client_id: clientId, issuer });
      return { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }), ...(issuer && { issuer }) };
    }
    // A registration is bound to its redirect address, unless it only renews.
    const isUsable = tokens?.refresh_token !== undefined || redirectsOf(client).includes(this.redirectUrl.href);
    return isUsable ? client : undefined;
  }

  async saveClientInformation(client: OAuthClientInformationMixed): Promise<void> {
    const { clientId } = this.#options.config;
    if (clientId === undefined) return this.#keep({ client });
    if (client.client_id !== clientId) {
      const message = `The client ${clientId} belongs to another authorization server.`;
      throw new AgentError('mcp_failed', message);
    }
    // Bound to the first authorization server. The secret stays in the configuration.
    return this.#keep({ client: { client_id: clientId, ...(client.issuer && { issuer: client.issuer }) } });
  }

  tokens(): OAuthTokens | undefined {
    return this.#record.tokens;
  }

  saveTokens(tokens: OAuthTokens): Promise<void> {
    return this.#keep({ tokens });
  }

  redirectToAuthorization(url: URL): void {
    const { audiences = [] } = this.#options.config;
    for (const audience of audiences) url.searchParams.append('audience', audience);
    this.#options.onAuthorizationUrl(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    if (this.#verifier === undefined) throw new AgentError('internal', 'No sign-in was started.');
    return this.#verifier;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): Promise<void> {
    assertDiscovery(discovery);
    this.#discovery = discovery;
    return Promise.resolve();
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    // Not stored, as the server may change its authorization server.
    this.#discovery ??= configuredDiscovery(this.#options.config);
    return this.#discovery;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    if (scope === 'all' || scope === 'client') await this.#keep({ client: undefined });
    if (scope === 'all' || scope === 'tokens') await this.#keep({ tokens: undefined });
  }

  async #keep(change: AuthRecord): Promise<void> {
    this.#record = { ...this.#record, ...change };
    await this.#options.storage.save(this.#record);
  }
}

function redirectsOf(client: OAuthClientInformationMixed | undefined): readonly string[] {
  return client !== undefined && 'redirect_uris' in client ? client.redirect_uris.map(String) : [];
}
