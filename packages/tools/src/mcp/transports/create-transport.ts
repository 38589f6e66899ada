import { isAbsolute, resolve } from 'node:path';
import type { FetchLike, Transport } from '@modelcontextprotocol/client';
import { type AgentError, defined } from '@qwen/protocol';
import type { SandboxPolicy } from '../../sandbox/policy.js';
import type { McpEndpoint } from '../endpoint.js';
import { cappedBody } from './capped-body.js';
import { serverEnvironment } from './server-environment.js';
import type { StdioTransportOptions } from './stdio-transport.js';

export interface McpTransport extends Transport {
  readonly failure?: AgentError | undefined;
  /** Whether the server may be of the revision without `initialize`. Default: no. */
  readonly mayBeModern?: boolean;
  /** For the user, if the server refuses the requests of this transport. */
  readonly advice?: string;
}

export interface TransportOptions extends Pick<StdioTransportOptions, 'onReverted'> {
  readonly endpoint: McpEndpoint;
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** May add tokens. Default: the global `fetch`. */
  readonly fetch?: FetchLike;
  readonly onNoise?: () => void;
  /** Confines a server that is started. Rejects with `sandbox_unavailable`. */
  readonly sandbox?: SandboxPolicy | undefined;
}

/** The client starts it. */
export async function createTransport(options: TransportOptions): Promise<McpTransport> {
  const { endpoint, cwd, environment, fetch = globalThis.fetch, onNoise, onReverted, sandbox } = options;
  const noise = onNoise === undefined ? {} : { onNoise };
  switch (endpoint.kind) {
    case 'stdio': {
      const { StdioTransport } = await import('./stdio-transport.js');
      const { command, args, env } = endpoint;
      // A relative path starts at the folder of the server.
      const folder = resolve(cwd, endpoint.cwd ?? '.');
      const program = command.includes('/') && !isAbsolute(command) ? resolve(folder, command) : command;
      return new StdioTransport({
        command: program,
        args,
        env: serverEnvironment(environment, env),
        cwd: folder,
        ...noise,
        ...defined({ onReverted }),
        ...(sandbox !== undefined && {
          sandbox: await (await import('../../sandbox/sandbox.js')).openSandbox({ policy: sandbox }),
        }),
      });
    }
    case 'http': {
      const { HttpTransport } = await import('./http-transport.js');
      return new HttpTransport({ url: endpoint.url, headers: endpoint.headers, fetch });
    }
    case 'sse': {
      const { SSEClientTransport } = await import('@modelcontextprotocol/client');
      const requestInit = { headers: { ...endpoint.headers } };
      const transport = new SSEClientTransport(endpoint.url, { requestInit, fetch: capped(fetch) });
      return Object.assign(transport, { advice: 'If it uses streamable HTTP, set its "type" to "http".' });
    }
    case 'websocket': {
      const { WebSocketTransport } = await import('./websocket-transport.js');
      return new WebSocketTransport({ url: endpoint.url, headers: endpoint.headers, ...noise });
    }
    case 'tcp': {
      const { SocketTransport } = await import('./socket-transport.js');
      return new SocketTransport({ host: endpoint.host, port: endpoint.port, ...noise });
    }
  }
}

function capped(fetch: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    const perEvent = response.headers.get('content-type')?.includes('text/event-stream') === true;
    const answer = new Response(cappedBody(response.body, { perEvent }), response);
    // The SSE client reads the URL of the response.
    Object.defineProperty(answer, 'url', { value: response.url });
    return answer;
  };
}
