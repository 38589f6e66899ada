import { AgentError, type ErrorCode } from '@qwen/protocol';

const CODES_BY_SYSTEM_CODE: Readonly<Record<string, ErrorCode>> = {
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'stream_stalled',
};
/** What sockets, name resolution, TLS and Node's HTTP client call their failures. */
const NETWORK_CODE =
  /^(ECONN[A-Z]+|EPIPE|EPROTO|ENOTFOUND|EAI_[A-Z]+|ETIMEDOUT|E(HOST|NET)[A-Z]+|EADDRNOTAVAIL|UND_ERR_(SOCKET|[A-Z]+_TIMEOUT)|HPE_[A-Z_]+|ERR_(SSL|TLS)_[A-Z_]+|CERT_[A-Z_]+|DEPTH_ZERO_[A-Z_]+|SELF_SIGNED_[A-Z_]+|UNABLE_TO_[A-Z_]+)$/;
const DEEPEST_CAUSE = 8;

/**
 * What a client library threw, as one of our errors. The libraries wrap what `fetch` threw, so causes are followed:
 * an AgentError among them comes out unchanged, a system error becomes `network_unavailable`. The cause itself is not
 * kept, because it may hold request headers (S106).
 */
export function toThrownError(thrown: unknown): AgentError {
  const causes = causesOf(thrown);
  const typed = causes.find((cause) => AgentError.is(cause));
  if (typed !== undefined) return typed;
  const systemCode = systemCodeOf(causes);
  if (systemCode !== undefined) {
    const code = CODES_BY_SYSTEM_CODE[systemCode] ?? 'network_unavailable';
    return new AgentError(code, `The connection to the provider failed: ${systemCode}`, { data: { systemCode } });
  }
  if (causes.some((cause) => cause instanceof TypeError && cause.message === 'terminated')) {
    return new AgentError('network_unavailable', 'The connection to the provider broke off.');
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AgentError('internal', `The model client failed: ${message}`);
}

function causesOf(thrown: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let cause = thrown;
  while (cause !== undefined && cause !== null && causes.length < DEEPEST_CAUSE) {
    causes.push(cause);
    // Connecting to several addresses fails with one error for each; they fail alike.
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
