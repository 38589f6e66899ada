import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/client';

/** Tokens and client belong to the issuer that they name. */
export interface AuthRecord {
  readonly tokens?: OAuthTokens | undefined;
  readonly client?: OAuthClientInformationMixed | undefined;
}

export interface AuthStorage {
  load(): Promise<AuthRecord | undefined>;
  /** Undefined deletes it. */
  save(record: AuthRecord | undefined): Promise<void>;
}
