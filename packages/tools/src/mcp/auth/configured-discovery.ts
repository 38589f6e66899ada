import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { AgentError, type McpOAuthConfig } from '@qwen/protocol';
import { assertDiscovery } from './discovery-check.js';

/** Replaces discovery. Throws `invalid_options` if it is incomplete and `mcp_failed` for unsafe addresses. */
export function configuredDiscovery(config: McpOAuthConfig): OAuthDiscoveryState | undefined {
  const { authorizationUrl, tokenUrl, registrationUrl } = config;
  if (authorizationUrl === undefined && tokenUrl === undefined) return undefined;
  if (authorizationUrl === undefined || tokenUrl === undefined) {
    throw new AgentError('invalid_options', 'oauth: authorizationUrl and tokenUrl must be set together');
  }
  for (const address of [authorizationUrl, tokenUrl, registrationUrl ?? tokenUrl, config.issuer ?? tokenUrl]) {
    if (!URL.canParse(address))
      throw new AgentError('invalid_options', `oauth: ${JSON.stringify(address)} is not a URL`);
  }
  const issuer = config.issuer ?? new URL(tokenUrl).origin;
  const discovery: OAuthDiscoveryState = {
    authorizationServerUrl: issuer,
    authorizationServerMetadata: {
      issuer,
      authorization_endpoint: authorizationUrl,
      token_endpoint: tokenUrl,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      ...(registrationUrl !== undefined && { registration_endpoint: registrationUrl }),
    },
  };
  assertDiscovery(discovery);
  return discovery;
}
