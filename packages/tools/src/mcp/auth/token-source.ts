export interface AuthChallenge {
  /** Metadata of the authorization server (RFC 9728). */
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  readonly isStepUp: boolean;
}

export interface TokenSource {
  /** Undefined if there is none yet. */
  token(): Promise<string | undefined>;
  /** False if it would be the same token. Rejects with `mcp_auth_required` if the user has to sign in. */
  renew(challenge: AuthChallenge): Promise<boolean>;
}
