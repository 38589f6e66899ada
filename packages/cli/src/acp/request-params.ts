import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type McpServer, RequestError } from '@agentclientprotocol/sdk';
import { type McpServerChoice, serversOf } from '@qwen/host/config/mcp-servers.js';
import { AgentError, type CliMcpServerConfig } from '@qwen/protocol';
import * as z from 'zod/mini';

// The library checks the parameters of the stable methods.
const pairs = z.array(z.object({ name: z.string(), value: z.string() }));
const anyServer = z.union([
  z.object({ type: z.enum(['http', 'sse']), name: z.string(), url: z.string(), headers: pairs }),
  z.object({ name: z.string(), command: z.string(), args: z.array(z.string()), env: pairs }),
]);
const forkParams = z.object({
  sessionId: z.string(),
  cwd: z.string(),
  additionalDirectories: z._default(z.array(z.string()), []),
  mcpServers: z._default(z.array(anyServer), []),
});
export type ForkParams = z.infer<typeof forkParams>;

/** Throws `invalid_params` of JSON-RPC. */
export function readForkParams(params: unknown): ForkParams {
  const read = forkParams.safeParse(params);
  if (read.success) return read.data;
  throw RequestError.invalidParams(undefined, z.prettifyError(read.error));
}

/** Throws `invalid_payload`. */
export function checkAbsolute(member: string, path: string): void {
  if (isAbsolute(path)) return;
  throw new AgentError('invalid_payload', `${member}: expected an absolute path, not "${path}"`);
}

/** Throws `invalid_payload`. */
export function checkFolder(member: string, path: string): void {
  checkAbsolute(member, path);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new AgentError('invalid_payload', `${member}: the folder ${path} does not exist`);
  if (!stats.isDirectory()) throw new AgentError('invalid_payload', `${member}: ${path} is not a folder`);
}

export function toServers(servers: readonly McpServer[]): McpServerChoice {
  const configs = servers.map((server): readonly [string, CliMcpServerConfig] => {
    if (!('type' in server)) {
      const env = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
      return [server.name, { command: server.command, args: [...server.args], env }];
    }
    const { name, url } = server;
    const headers = Object.fromEntries(server.headers.map((header) => [header.name, header.value]));
    return [name, server.type === 'http' ? { httpUrl: url, headers } : { type: 'sse', url, headers }];
  });
  return { inApp: [], outside: serversOf('app', Object.fromEntries(configs)) };
}
