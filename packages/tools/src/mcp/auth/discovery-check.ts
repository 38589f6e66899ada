import type { OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { AgentError } from '@qwen/protocol';
import { assertSafeUrl } from './address-check.js';

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'] as const;

/** Throws `mcp_failed` for unsafe endpoints, missing S256 or an unexpected issuer. */
export function assertDiscovery(discovery: OAuthDiscoveryState): void {
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = discovery;
  assertSafeUrl(new URL(authorizationServerUrl), 'The authorization server');
  if (authorizationServerMetadata === undefined) return;
  const { issuer, code_challenge_methods_supported: methods } = authorizationServerMetadata;
  // The first specification announces no issuer; accept the same origin.
  const isExpected =
    resourceMetadata === undefined
      ? new URL(issuer).origin === new URL(authorizationServerUrl).origin
      : withoutSlash(issuer) === withoutSlash(authorizationServerUrl);
  if (!isExpected) {
    throw new AgentError(
      'mcp_failed',
      `The metadata of ${withoutSlash(authorizationServerUrl)} contains another issuer.`,
    );
  }
  for (const name of ENDPOINTS) {
    const address = authorizationServerMetadata[name];
    if (address !== undefined) assertSafeUrl(new URL(address), name);
  }
  // OpenID metadata may omit the methods.
  if (methods !== undefined && !methods.includes('S256')) {
    throw new AgentError('mcp_failed', 'The authorization server does not support PKCE with S256.');
  }
}

/** Throws `mcp_failed` if the answer has another issuer (RFC 9207). */
export function assertIssuer(issuer: string | undefined, state: OAuthDiscoveryState | undefined): void {
  if (issuer === undefined || state === undefined) return;
  const expected = state.authorizationServerMetadata?.issuer ?? state.authorizationServerUrl;
  if (withoutSlash(issuer) !== withoutSlash(expected)) {
    throw new AgentError('mcp_failed', 'The sign-in response comes from another issuer.');
  }
}

function withoutSlash(address: string): string {
  const { href } = new URL(address);
  return href.endsWith('/') ? href.slice(0, -1) : href;
}
