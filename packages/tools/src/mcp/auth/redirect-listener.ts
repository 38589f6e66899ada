import { createServer, type Server } from 'node:http';
import { AgentError } from '@qwen/protocol';

const WAIT_LIMIT_MS = 5 * 60_000;
const PATH = '/callback';

export interface RedirectListenerOptions {
  /** Expected in the answer. */
  readonly state: string;
  /** A registered loopback address. Default: any free port. */
  readonly redirectUri?: string | undefined;
}

export interface RedirectAnswer {
  readonly code: string;
  /** RFC 9207. */
  readonly issuer?: string | undefined;
}

/** Accepts one answer. */
export interface RedirectListener {
  readonly redirectUrl: URL;
  /** Rejects with `mcp_auth_required` on refusal, timeout or `close()`. */
  readonly answer: Promise<RedirectAnswer>;
  close(): void;
}

/**
 * Listens for up to five minutes. Rejects with `mcp_failed` if the port is taken and `invalid_options` unless the
 * address is loopback.
 */
export async function listenForRedirect({ state, redirectUri }: RedirectListenerOptions): Promise<RedirectListener> {
  const fixed = redirectUri === undefined ? undefined : readFixed(redirectUri);
  const answered = Promise.withResolvers<RedirectAnswer>();
  // The caller may not await the answer.
  answered.promise.catch(() => undefined);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    response.setHeader('connection', 'close');
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    if (request.method !== 'GET' || url.pathname !== (fixed?.pathname ?? PATH)) {
      response.writeHead(404).end('Not found.');
      return;
    }
    if (url.searchParams.get('state') !== state) {
      response.writeHead(400).end('Unknown sign-in: the state does not match.');
      return;
    }
    const code = url.searchParams.get('code');
    const message = code === null ? 'The sign-in was refused.' : 'You are signed in. You can close this window.';
    response.end(`${message}\n`, close);
    if (code === null) answered.reject(refusal(url.searchParams.get('error')));
    else answered.resolve({ code, issuer: url.searchParams.get('iss') ?? undefined });
  });
  await listen(server, fixed === undefined ? 0 : Number(fixed.port));
  const timer = setTimeout(() => {
    answered.reject(new AgentError('mcp_auth_required', 'The sign-in was not completed within five minutes.'));
    close();
  }, WAIT_LIMIT_MS);
  // Do not keep the process alive.
  timer.unref();
  server.unref();

  function close(): void {
    clearTimeout(timer);
    server.close();
    answered.reject(new AgentError('mcp_auth_required', 'The sign-in was cancelled.'));
  }

  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { redirectUrl: fixed ?? new URL(`http://127.0.0.1:${port}${PATH}`), answer: answered.promise, close };
}

function readFixed(redirectUri: string): URL {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : undefined;
  const isOurs = url?.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname) && url.port !== '';
  if (url === undefined || !isOurs) {
    throw new AgentError('invalid_options', 'oauth.redirectUri: expected http://127.0.0.1:PORT/PATH');
  }
  return url;
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      reject(new AgentError('mcp_failed', `Cannot listen for the sign-in: ${cause.message}`, { cause }));
    });
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** Only codes of the form of RFC 6749 are repeated. */
function refusal(error: string | null): AgentError {
  const word = error !== null && /^[a-z_]{1,40}$/.test(error) ? error : 'the response contains no code';
  return new AgentError('mcp_auth_required', `The sign-in was refused: ${word}.`);
}
