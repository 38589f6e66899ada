import { AgentError, type CliMcpServerConfig } from '@qwen/protocol';

export type McpEndpoint =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Absolute or relative to the workspace. Default: the workspace. */
      readonly cwd?: string;
    }
  | RemoteEndpoint
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

export interface RemoteEndpoint {
  readonly kind: 'http' | 'sse' | 'websocket';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** A configuration has exactly one of these. */
const WAYS = ['command', 'url', 'httpUrl', 'tcp'] as const;

/** `type` names of other programs. */
const URL_KINDS: ReadonlyMap<string, 'http' | 'sse' | 'websocket'> = new Map([
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['sse', 'sse'],
  ['ws', 'websocket'],
  ['websocket', 'websocket'],
]);

/** Throws `invalid_options`, without headers and query, which may be secret. */
export function readEndpoint(serverName: string, config: CliMcpServerConfig): McpEndpoint {
  const fault = (what: string) => new AgentError('invalid_options', `mcpServers.${serverName}${what}`);
  const ways = WAYS.filter((way) => config[way] !== undefined);
  if (ways.length !== 1) throw fault(`: expected exactly one of ${WAYS.join(', ')}`);
  if (config.command !== undefined) return readCommand(config, fault);
  if (config.sandbox !== undefined && config.sandbox !== false) {
    throw fault('.sandbox: only a server with a command can run in the sandbox');
  }
  if (config.tcp !== undefined) return readSocket(config, fault);
  const member = config.url === undefined ? 'httpUrl' : 'url';
  const url = parseUrl(config[member] ?? '');
  if (url === undefined) throw fault(`.${member}: expected a URL`);
  if (url.username !== '' || url.password !== '') throw fault(`.${member}: a URL must not contain credentials`);
  const isSocket = url.protocol === 'ws:' || url.protocol === 'wss:';
  if (!isSocket && url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw fault(`.${member}: expected http, https, ws or wss`);
  }
  const named = config.type === undefined ? undefined : URL_KINDS.get(config.type);
  if (config.type !== undefined && named === undefined) throw fault(`.type: a URL cannot be of type "${config.type}"`);
  const plain = member === 'httpUrl' ? 'http' : 'sse';
  const kind = isSocket ? 'websocket' : (named ?? plain);
  if ((kind === 'websocket') !== isSocket) throw fault(`.${member}: expected ws or wss for this type`);
  return { kind, url, headers: config.headers ?? {} };
}

type Fault = (what: string) => AgentError;

function readCommand(config: CliMcpServerConfig, fault: Fault): McpEndpoint {
  const { command = '', args = [], env = {}, cwd, type = 'stdio' } = config;
  if (type !== 'stdio') throw fault(`.type: a command cannot be of type "${type}"`);
  if (command.trim() === '') throw fault('.command: expected the name or path of a program');
  if ([command, ...args].some((word) => word.includes('\0')))
    throw fault('.command: an argument must not contain a NUL byte');
  return { kind: 'stdio', command, args, env, ...(cwd !== undefined && { cwd }) };
}

/** `host:port`, `[::1]:port`, and the `ws://` URL of older configurations. */
function readSocket({ tcp = '', headers = {} }: CliMcpServerConfig, fault: Fault): McpEndpoint {
  const url = parseUrl(tcp);
  if (url !== undefined && (url.protocol === 'ws:' || url.protocol === 'wss:'))
    return { kind: 'websocket', url, headers };
  const [, bracketed, plain, digits] = /^(?:tcp:\/\/)?(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})$/.exec(tcp) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) throw fault('.tcp: expected host:port or a ws:// URL');
  return { kind: 'tcp', host, port };
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
