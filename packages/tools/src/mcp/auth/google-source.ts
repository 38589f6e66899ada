import { AgentError } from '@qwen/protocol';
import type { GoogleAuth } from 'google-auth-library';
import * as z from 'zod/mini';
import { isLoopbackUrl } from './address-check.js';
import type { TokenSource } from './token-source.js';

const DEFAULT_SCOPES = ['https://www.googleapis.com/auth/cloud-platform'];
/** A user token opens the whole account. */
const GOOGLE_HOST = /(?:^|\.)(?:googleapis\.com|luci\.app)$/;
const IAM_URL = 'https://iamcredentials.googleapis.com';

export interface GoogleSourceOptions {
  readonly serverUrl: URL;
  readonly scopes?: readonly string[] | undefined;
}

/** Application default credentials, for Google and for this machine. Throws `invalid_options` for other servers. */
export class GoogleSource implements TokenSource {
  readonly #scopes: readonly string[];
  #auth: Promise<GoogleAuth> | undefined;

  constructor({ serverUrl, scopes = DEFAULT_SCOPES }: GoogleSourceOptions) {
    const isGoogle = serverUrl.protocol === 'https:' && GOOGLE_HOST.test(serverUrl.hostname);
    if (!isGoogle && !isLoopbackUrl(serverUrl)) {
      throw new AgentError(
        'invalid_options',
        `google_credentials: ${serverUrl.host} is neither a Google host nor on this machine`,
      );
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

  /** The library already renews tokens. */
  renew(): Promise<boolean> {
    return Promise.resolve(false);
  }
}

export interface ImpersonationOptions {
  /** The audience that the server checks. */
  readonly targetAudience: string;
  readonly targetServiceAccount: string;
  /** Default: Google's. */
  readonly iamUrl?: string;
}

const answerSchema = z.object({ token: z.string() });

/** ID tokens of a service account, for one audience. */
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

  /** Resolves with whether there is another token. */
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
      const answer = answerSchema.safeParse(data);
      if (answer.success) return answer.data.token;
    } catch (cause) {
      throw refusedToken(account, cause);
    }
    throw noToken(account, 'answered without a token');
  }
}

async function openAuth(scopes: readonly string[]): Promise<GoogleAuth> {
  // CommonJS: bundlers keep only the default export.
  const { default: google } = await import('google-auth-library');
  return new google.GoogleAuth({ scopes: [...scopes] });
}

/** A failure without a status came before the request: there are no credentials. */
function refusedToken(account: string, cause: unknown): AgentError {
  const status: unknown = Object(Object(cause).response).status;
  if (typeof status !== 'number') return noCredentials(cause);
  return noToken(account, `refused to create a token (status ${status})`, cause);
}

function noToken(account: string, what: string, cause?: unknown): AgentError {
  const message = `Google ${what} for ${account}. Check its name, and that you may impersonate it.`;
  return new AgentError('mcp_auth_required', message, { cause });
}

/** Omits the original message, which may repeat what was sent. */
function noCredentials(cause: unknown): AgentError {
  const message = 'No Google credentials found. Run: gcloud auth application-default login';
  return new AgentError('mcp_auth_required', message, { cause });
}
