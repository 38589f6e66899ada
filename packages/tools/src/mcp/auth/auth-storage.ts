import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

/** What is kept about the sign-in to one server. The tokens and the client belong to the issuer that they name. */
export interface AuthRecord {
  readonly tokens?: OAuthTokens | undefined;
  readonly client?: OAuthClientInformationMixed | undefined;
}

/** Keeps sign-ins, one for each server. */
export interface AuthStorage {
  load(): Promise<AuthRecord | undefined>;
  /** Undefined forgets it. */
  save(record: AuthRecord | undefined): Promise<void>;
}
