/** Why a server refused a request. */
export interface AuthChallenge {
  /** Metadata of the authorization server (RFC 9728). */
  readonly resourceMetadataUrl?: URL | undefined;
  /** The required scope. */
  readonly scope?: string | undefined;
  /** Whether the token is valid but lacks scope. */
  readonly isStepUp: boolean;
}

/** Provides the tokens for one server. */
export interface TokenSource {
  /** Undefined if there is none yet. */
  token(): Promise<string | undefined>;
  /**
   * Gets a new token after the server refused the last one. Resolves with false if it would be the same. Rejects
   * with `mcp_auth_required` if the user has to sign in.
   */
  renew(challenge: AuthChallenge): Promise<boolean>;
}
