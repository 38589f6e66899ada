import { AgentError } from '@qwen/protocol';
import type { GoogleAuth } from 'google-auth-library';
import * as z from 'zod/mini';
import { isLoopbackUrl } from './address-check.js';
import type { TokenSource } from './token-source.js';

const DEFAULT_SCOPES = ['https://www.googleapis.com/auth/cloud-platform'];
/** A token of the user's Google account opens everything that it permits, so only Google gets it (S104). */
const GOOGLE_HOST = /(?:^|\.)(?:googleapis\.com|luci\.app)$/;
const IAM_URL = 'https://iamcredentials.googleapis.com';

export interface GoogleSourceOptions {
  readonly serverUrl: URL;
  readonly scopes?: readonly string[] | undefined;
}

/**
 * Tokens of the Google account that this machine is set up for, by the application default credentials (O-40). Throws
 * `invalid_options` for a server that is not of Google.
 */
export class GoogleSource implements TokenSource {
  readonly #scopes: readonly string[];
  #auth: Promise<GoogleAuth> | undefined;

  constructor({ serverUrl, scopes = DEFAULT_SCOPES }: GoogleSourceOptions) {
    const isGoogle = serverUrl.protocol === 'https:' && GOOGLE_HOST.test(serverUrl.hostname);
    if (!isGoogle && !isLoopbackUrl(serverUrl)) {
      throw new AgentError('invalid_options', `google_credentials: ${serverUrl.host} is not a host of Google`);
    }
    this.#scopes = scopes;
  }

  async token(): Promise<string | undefined> {
    this.#auth ??= openAuth(this.#scopes);
    const auth = await this.#auth;
    try {
      return (await auth.getAccessToken()) ?? undefined;
    } catch (cause) {
      throw noCredentials(cause);
    }
  }

  /** The library renews by itself; a token that is refused nevertheless would be refused again. */
  renew(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

export interface ImpersonationOptions {
  /** For whom the token is; the server checks it. */
  readonly targetAudience: string;
  /** Address of the service account. */
  readonly targetServiceAccount: string;
  /** Where tokens are made. Default: Google's. */
  readonly iamUrl?: string;
}

const answerSchema = z.object({ token: z.string() });

/** Tokens of a service account, made with the credentials of this machine; they are good for one audience only (O-40). */
export class ImpersonationSource implements TokenSource {
  readonly #options: ImpersonationOptions;
  #auth: Promise<GoogleAuth> | undefined;
  #token: string | undefined;

  constructor(options: ImpersonationOptions) {
    this.#options = options;
  }

  async token(): Promise<string | undefined> {
    this.#token ??= await this.#make();
    return this.#token;
  }

  /** Tokens live for an hour: after that the server refuses, and a new one is made. */
  async renew(): Promise<boolean> {
    const before = this.#token;
    this.#token = await this.#make();
    return this.#token !== before;
  }

  async #make(): Promise<string> {
    const { targetAudience: audience, targetServiceAccount: account, iamUrl = IAM_URL } = this.#options;
    this.#auth ??= openAuth(DEFAULT_SCOPES);
    const auth = await this.#auth;
    try {
      const { data } = await auth.request({
        url: `${iamUrl}/v1/projects/-/serviceAccounts/${encodeURIComponent(account)}:generateIdToken`,
        method: 'POST',
        data: { audience, includeEmail: true },
      });
      return z.parse(answerSchema, data).token;
    } catch (cause) {
      throw noCredentials(cause);
    }
  }
}

async function openAuth(scopes: readonly string[]): Promise<GoogleAuth> {
  // A CommonJS package: the bundled programs load it with its default export only.
  const { default: google } = await import('google-auth-library');
  return new google.GoogleAuth({ scopes: [...scopes] });
}

/** The words of the library may repeat what was sent, so they stay in the cause. */
function noCredentials(cause: unknown): AgentError {
  const message = 'There are no Google credentials for this server: gcloud auth application-default login';
  return new AgentError('mcp_auth_required', message, { cause });
}
