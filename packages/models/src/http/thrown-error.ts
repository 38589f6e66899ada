import { AgentError, type ErrorCode, messageOf } from '@qwen/protocol';

const CODES_BY_SYSTEM_CODE: ReadonlyMap<string, ErrorCode> = new Map([
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout'],
  ['UND_ERR_BODY_TIMEOUT', 'stream_stalled'],
]);
const NETWORK_CODE =
  /^(ECONN[A-Z]+|EPIPE|EPROTO|ENOTFOUND|EAI_[A-Z]+|ETIMEDOUT|E(HOST|NET)[A-Z]+|EADDRNOTAVAIL|UND_ERR_(SOCKET|[A-Z]+_TIMEOUT)|HPE_[A-Z_]+|ERR_(SSL|TLS)_[A-Z_]+|CERT_[A-Z_]+|DEPTH_ZERO_[A-Z_]+|SELF_SIGNED_[A-Z_]+|UNABLE_TO_[A-Z_]+)$/;
/** A retry cannot help. */
const CERTIFICATE_CODE = /CERT|UNABLE_TO_|SELF_SIGNED/;
const DEEPEST_CAUSE = 8;

/**
 * Follows causes to an AgentError, which is returned unchanged, or a system error. Drops the cause, which may
 * contain request headers.
 */
export function toThrownError(thrown: unknown, endpoint = 'the provider', proxy?: string): AgentError {
  const causes = causesOf(thrown);
  const typed = causes.find((cause) => AgentError.is(cause));
  if (typed !== undefined) return typed;
  const systemCode = systemCodeOf(causes);
  if (systemCode !== undefined) {
    const code = CODES_BY_SYSTEM_CODE.get(systemCode) ?? 'network_unavailable';
    if (proxy !== undefined && /^(ECONNREFUSED|ENOTFOUND|EAI_)/.test(systemCode)) {
      const message = `Could not connect to ${endpoint} through the proxy ${proxy} (${systemCode}). Check --proxy, the setting proxy, HTTPS_PROXY or HTTP_PROXY.`;
      return new AgentError(code, message, { data: { systemCode, proxy } });
    }
    const permanent = CERTIFICATE_CODE.test(systemCode);
    return new AgentError(code, connectionProblem(systemCode, endpoint), {
      data: { systemCode, ...(permanent && { permanent }) },
    });
  }
  if (causes.some((cause) => cause instanceof TypeError && cause.message === 'terminated')) {
    return new AgentError('network_unavailable', `The connection to ${endpoint} was closed.`);
  }
  const message = messageOf(thrown);
  return new AgentError('internal', `The model client failed: ${message}`);
}

function connectionProblem(systemCode: string, endpoint: string): string {
  if (systemCode === 'ECONNREFUSED') return `Could not connect to ${endpoint} (${systemCode}). Is the server running?`;
  if (/^(ENOTFOUND|EAI_)/.test(systemCode)) {
    return `Could not resolve the host of ${endpoint} (${systemCode}). Check the base URL and your network.`;
  }
  if (/^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/.test(systemCode)) {
    return `The certificate of ${endpoint} is not valid now (${systemCode}). Check the clock of this machine.`;
  }
  if (systemCode === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `The certificate of ${endpoint} is for another host (${systemCode}). Check the base URL.`;
  }
  if (CERTIFICATE_CODE.test(systemCode)) {
    return `${endpoint} has an untrusted certificate (${systemCode}). For a private CA, set NODE_EXTRA_CA_CERTS.`;
  }
  if (endpoint.startsWith('https:') && /^(EPROTO|ERR_SSL_)/.test(systemCode)) {
    return `${endpoint} does not answer with TLS (${systemCode}). If the server only speaks HTTP, use http:// in the base URL.`;
  }
  return `The connection to ${endpoint} failed (${systemCode}). Check your network or try again.`;
}

function causesOf(thrown: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let cause = thrown;
  while (cause !== undefined && cause !== null && causes.length < DEEPEST_CAUSE) {
    causes.push(cause);
    // One error per address; all have the same kind.
    if (cause instanceof AggregateError) causes.push(...cause.errors);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return causes;
}

function systemCodeOf(causes: readonly unknown[]): string | undefined {
  for (const cause of causes) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (typeof code === 'string' && NETWORK_CODE.test(code)) return code;
  }
  return undefined;
}
