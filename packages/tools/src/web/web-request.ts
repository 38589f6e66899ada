import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { normalHost } from '@qwen/agent';
import { AgentError, QWEN_VERSION } from '@qwen/protocol';
import { isLinkLocalAddress, isPrivateAddress, resolveName } from '../mcp/auth/address-check.js';

export interface WebRequestOptions {
  /** Closes the connection. */
  readonly signal: AbortSignal;
  /** Whether a rule names the host in full, so that it may be in a private network. */
  readonly namesHost: (host: string) => boolean;
  /** What to send through a proxy; undefined for a direct connection. */
  readonly route?: ((url: string) => Promise<RequestOptions | undefined>) | undefined;
  /** Default: the resolver of the system. Empty for an unknown host. */
  readonly resolveHost?: ((host: string) => Promise<readonly string[]>) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** JSON, for a POST request. */
  readonly body?: string | undefined;
  /** Whether the body of this type is worth reading. Throws why not. */
  readonly checkType?: (contentType: string) => void;
}

export interface WebResponse {
  /** After redirects to the same host. */
  readonly url: URL;
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  /** Decoded. */
  readonly body: Buffer;
  /** Whether the rest of the body was not read. */
  readonly isCut: boolean;
  readonly isPrivate: boolean;
  /** Another host, or http instead of https; there is no body then. */
  readonly redirect?: URL;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  'user-agent': `qwen/${QWEN_VERSION}`,
  accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, application/json;q=0.8, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
};

const JSON_BODY = { 'content-type': 'application/json' };

/**
 * Follows redirects that stay on the host. Each connection goes to an address that was checked, so that a name cannot
 * change its meaning in between; through a proxy, the proxy resolves the name again. Rejects with `tool_failed`.
 */
export async function requestWeb(start: URL, options: WebRequestOptions): Promise<WebResponse> {
  let url = start;
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    const response = await requestOnce(url, options);
    if (response.redirect === undefined) return response;
    const { redirect } = response;
    const isSameHost = normalHost(redirect.hostname) === normalHost(url.hostname);
    if (!isSameHost || (redirect.protocol === 'http:' && url.protocol === 'https:')) return response;
    url = redirect;
  }
  throw failure(`${start.href} redirects more than ${MAX_REDIRECTS} times.`);
}

async function requestOnce(url: URL, options: WebRequestOptions): Promise<WebResponse> {
  options.signal.throwIfAborted();
  const detour = await options.route?.(url.href);
  const { addresses, isPrivate } = await addressesOf(url, options, detour !== undefined);
  const message = await send(url, { ...options, detour, addresses });
  try {
    const { statusCode: status = 0, statusMessage: statusText = '', headers } = message;
    const contentType = headers['content-type'] ?? '';
    const head = { url, status, statusText, contentType, isPrivate };
    const { location } = headers;
    if (REDIRECTS.has(status) && location !== undefined) {
      return { ...head, body: Buffer.alloc(0), isCut: false, redirect: redirectTo(location, url) };
    }
    options.checkType?.(contentType);
    return { ...head, ...(await readBody(message)) };
  } catch (thrown) {
    options.signal.throwIfAborted();
    throw thrown instanceof AgentError ? thrown : connectionError(url, thrown);
  } finally {
    message.destroy();
  }
}

function redirectTo(location: string, from: URL): URL {
  const url = URL.parse(location, from.href);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw failure(`${from.href} redirects to ${JSON.stringify(location.slice(0, 200))}, which is not a web page.`);
  }
  url.hash = '';
  return url;
}

interface CheckedAddresses {
  /** Empty: the proxy resolves the name. */
  readonly addresses: readonly string[];
  readonly isPrivate: boolean;
}

async function addressesOf(
  { hostname }: URL,
  { namesHost, resolveHost = resolveName }: WebRequestOptions,
  isThroughProxy: boolean,
): Promise<CheckedAddresses> {
  const host = normalHost(hostname) ?? '';
  const addresses = isIP(host) === 0 ? await resolveHost(host) : [host];
  if (addresses.length === 0 && !isThroughProxy) throw failure(`The host ${host} was not found. Check the URL.`);
  for (const address of addresses) checkAddress(host, address, namesHost);
  return { addresses, isPrivate: addresses.some(isPrivateAddress) };
}

/** Names that no one outside can point to another address. */
const LOCAL_NAME = /^[^.:]+$|\.(?:localhost|local|internal|lan|home\.arpa)$/;

/**
 * Throws `tool_failed` for an address in this machine or its networks, unless a rule names it. A rule with a local name
 * suffices, except for metadata services of clouds, which hand out credentials.
 */
export function checkAddress(host: string, address: string, namesHost: (host: string) => boolean): void {
  if (!isPrivateAddress(address) || namesHost(address)) return;
  const named = LOCAL_NAME.test(host) && !isLinkLocalAddress(address) ? host : address;
  if (named === host && namesHost(host)) return;
  const place = host === address ? host : `${host} (${address})`;
  throw failure(
    `${place} is this machine or in a private network. Only an allow rule permits it: WebFetch(domain:${named})`,
  );
}

interface Sending extends WebRequestOptions {
  readonly detour: RequestOptions | undefined;
  readonly addresses: readonly string[];
}

function send(url: URL, { detour, addresses, signal, headers, body }: Sending): Promise<IncomingMessage> {
  const request = (detour?.protocol ?? url.protocol) === 'https:' ? requestHttps : requestHttp;
  const direct: RequestOptions = { agent: false, lookup: pinned(addresses) };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      ...(detour ?? direct),
      ...(body !== undefined && { method: 'POST' }),
      headers: { ...HEADERS, ...(body !== undefined && JSON_BODY), ...headers, ...detour?.headers },
    });
    // The option `signal` of the client throws an uncaught AbortError between two reads.
    const abort = () => outgoing.destroy();
    signal.addEventListener('abort', abort, { once: true });
    outgoing.once('close', () => signal.removeEventListener('abort', abort));
    outgoing.once('response', resolve);
    outgoing.on('error', (error) => reject(signal.aborted ? signal.reason : connectionError(url, error)));
    outgoing.end(body);
  });
}

/** Answers with the checked addresses only. */
function pinned(addresses: readonly string[]): LookupFunction {
  return (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}

async function readBody(message: IncomingMessage): Promise<Pick<WebResponse, 'body' | 'isCut'>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(message)) {
    const bytes = chunk as Buffer;
    chunks.push(bytes.subarray(0, MAX_BODY_BYTES - size));
    size += bytes.length;
    if (size > MAX_BODY_BYTES) return { body: Buffer.concat(chunks), isCut: true };
  }
  return { body: Buffer.concat(chunks), isCut: false };
}

function decoded(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const create = DECODERS.get(encoding);
  if (create !== undefined) return pipeline(message, create(), () => undefined);
  if (encoding === 'identity' || encoding === '') return message;
  throw failure(`The encoding ${JSON.stringify(encoding.slice(0, 40))} of the response is not supported.`);
}

const DECODERS: ReadonlyMap<string, () => NodeJS.ReadWriteStream & Readable> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

function connectionError({ host }: URL, cause: unknown): AgentError {
  const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
  return new AgentError('tool_failed', `The connection to ${host} failed${code}.`, { cause });
}

function failure(message: string): AgentError {
  return new AgentError('tool_failed', message);
}
