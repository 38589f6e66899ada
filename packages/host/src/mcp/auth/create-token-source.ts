import { AgentError, type CliMcpServerConfig } from '@qwen/protocol';
import {
  GoogleSource,
  ImpersonationSource,
  MachineSource,
  OAuthSource,
  type OAuthSourceOptions,
  type RemoteEndpoint,
  type TokenSource,
} from '@qwen/tools';
import type { TokenFile } from './token-file.js';

export interface TokenSourceOptions extends Pick<OAuthSourceOptions, 'onAuthorizationUrl' | 'onSignedIn' | 'patience'> {
  readonly serverName: string;
  readonly config: CliMcpServerConfig;
  readonly endpoint: RemoteEndpoint;
  readonly tokens: TokenFile;
}

/**
 * The token source of a server; undefined when its configuration brings tokens or needs none. Throws
 * `invalid_options` for an incomplete configuration.
 */
export function createTokenSource(options: TokenSourceOptions): TokenSource | undefined {
  const { serverName, config, endpoint, tokens, onAuthorizationUrl, patience, onSignedIn } = options;
  const { authProviderType = 'dynamic_discovery', oauth = {}, targetAudience, targetServiceAccount } = config;
  const serverUrl = endpoint.url;
  switch (authProviderType) {
    case 'google_credentials':
      return new GoogleSource({ serverUrl, scopes: oauth.scopes });
    case 'service_account_impersonation': {
      if (targetAudience === undefined || targetServiceAccount === undefined) {
        const what = 'service_account_impersonation needs targetAudience and targetServiceAccount';
        throw new AgentError('invalid_options', `mcpServers.${serverName}: ${what}`);
      }
      return new ImpersonationSource({ targetAudience, targetServiceAccount });
    }
    case 'dynamic_discovery': {
      const hasOwn = Object.keys(endpoint.headers).some((name) => name.toLowerCase() === 'authorization');
      if (hasOwn || oauth.enabled === false) return undefined;
      const storage = tokens.of(serverUrl);
      const { grantType = 'authorization_code' } = oauth;
      if (grantType !== 'authorization_code') return new MachineSource({ serverUrl, storage, config: oauth, fetch });
      return new OAuthSource({
        serverUrl,
        storage,
        config: oauth,
        fetch,
        onAuthorizationUrl,
        patience,
        ...(onSignedIn !== undefined && { onSignedIn }),
      });
    }
  }
}
