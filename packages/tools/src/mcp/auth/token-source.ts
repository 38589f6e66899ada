/** What a server said when it refused a request. */
export interface AuthChallenge {
  /** Where the server says who signs its users in (RFC 9728). */
  readonly resourceMetadataUrl?: URL | undefined;
  /** What the token must permit. */
  readonly scope?: string | undefined;
  /** Whether the token is good but permits too little. */
  readonly isStepUp: boolean;
}

/** Where the tokens for one server come from. */
export interface TokenSource {
  /** The token to send now; undefined when there is none yet. */
  token(): Promise<string | undefined>;
  /**
   * Gets another token after the server refused the last one. False when the same would come again. Rejects with
   * `mcp_auth_required` when a person has to sign in first.
   */
  renew(challenge: AuthChallenge): Promise<boolean>;
}
