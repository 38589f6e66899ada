import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { AgentError } from '@qwen/protocol';
import { assertSafeUrl } from './address-check.js';

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const;

/**
 * Throws `mcp_failed` for metadata that must not be acted on: endpoints that are no web addresses (S99), no S256 (S100),
 * or an issuer that is not the one whose metadata was asked for (S101).
 */
export function assertDiscovery(discovery: OAuthDiscoveryState): void {
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = discovery;
  assertSafeUrl(new URL(authorizationServerUrl), 'The authorization server');
  if (authorizationServerMetadata === undefined) return;
  const { issuer, code_challenge_methods_supported: methods } = authorizationServerMetadata;
  // A server of the first specification names no issuer beforehand; then any of its own origin will do.
  const isExpected =
    resourceMetadata === undefined
      ? new URL(issuer).origin === new URL(authorizationServerUrl).origin
      : withoutSlash(issuer) === withoutSlash(authorizationServerUrl);
  if (!isExpected) {
    throw new AgentError('mcp_failed', `The metadata of ${withoutSlash(authorizationServerUrl)} name another issuer.`);
  }
  for (const name of ENDPOINTS) {
    const address = authorizationServerMetadata[name];
    if (address !== undefined) assertSafeUrl(new URL(address), name);
  }
  // The metadata of OpenID may leave it out, although the server takes it; then S256 is sent, never anything less.
  if (methods !== undefined && !methods.includes('S256')) {
    throw new AgentError('mcp_failed', 'The authorization server does not take S256, so a code could be stolen.');
  }
}

/** Throws `mcp_failed` when another issuer answers than the one that was asked (RFC 9207). */
export function assertIssuer(issuer: string | undefined, state: OAuthDiscoveryState | undefined): void {
  if (issuer === undefined || state === undefined) return;
  const expected = state.authorizationServerMetadata?.issuer ?? state.authorizationServerUrl;
  if (withoutSlash(issuer) !== withoutSlash(expected)) {
    throw new AgentError('mcp_failed', 'The answer to the sign-in comes from another issuer.');
  }
}

function withoutSlash(address: string): string {
  const { href } = new URL(address);
  return href.endsWith('/') ? href.slice(0, -1) : href;
}
