import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { createTokenSource } from '@qwen/host/mcp/auth/create-token-source.js';
import { openBrowser } from '@qwen/host/mcp/auth/open-browser.js';
import { TokenFile } from '@qwen/host/mcp/auth/token-file.js';
import { ServerApprovals } from '@qwen/host/mcp/server-approvals.js';
import { AgentError } from '@qwen/protocol';
import { authorizedFetch, connectMcpServer, createTransport, type RemoteEndpoint, readEndpoint } from '@qwen/tools';
import type { Subcommand, SubcommandOptions } from '../subcommand.js';
import { readWords } from '../words/read-words.js';
import { knownServer } from './known-servers.js';
import { onlyName } from './only-name.js';

/** Prints the URL to stderr and, at a terminal, opens the browser. */
export const runMcpLogin: Subcommand = async (options) => {
  const { environment, cwd, print, printError } = options;
  const { name, endpoint, config } = await remoteServer(options);
  const serverUrl = endpoint.url;
  const source = createTokenSource({
    serverName: name,
    config,
    endpoint,
    tokens: new TokenFile(findConfigDir(environment, cwd)),
    patience: 'wait',
    onAuthorizationUrl: (url) => {
      printError(`sign in at ${url.href}`);
      if (process.stderr.isTTY) openBrowser(url);
    },
  });
  if (source === undefined) throw new AgentError('usage', `mcp login: the configuration of ${name} needs no sign-in`);
  const transport = await createTransport({
    endpoint,
    cwd,
    environment: process.env,
    fetch: authorizedFetch({ fetch, source, serverUrl, tokenParamName: config.oauth?.tokenParamName }),
  });
  // No timeout here: the sign-in has its own.
  const connection = await connectMcpServer({ serverName: name, transport, requestTimeoutMs: 0 });
  const { length } = connection.tools;
  await connection.close();
  await print(`Signed in to ${name}; it has ${length} tools.\n`);
  return 0;
};

export const runMcpLogout: Subcommand = async (options) => {
  const { environment, cwd, print } = options;
  const { name, endpoint } = await remoteServer(options);
  await new TokenFile(findConfigDir(environment, cwd)).of(endpoint.url).save(undefined);
  await print(`Signed out of ${name}.\n`);
  return 0;
};

interface RemoteServer {
  readonly name: string;
  readonly endpoint: RemoteEndpoint;
  readonly config: Parameters<typeof readEndpoint>[1];
}

/** Throws `usage` for a server without a URL and `untrusted_folder` for an unapproved one. */
async function remoteServer(options: SubcommandOptions): Promise<RemoteServer> {
  const { environment, cwd } = options;
  const name = onlyName(readWords(options.words, { command: 'mcp', flags: {} }).rest);
  const { config, origin } = await knownServer(name, options);
  const approvals = new ServerApprovals({ stateDirectory: findConfigDir(environment, cwd), cwd });
  if (origin === 'mcp_json') await approvals.assert({ name, config });
  const endpoint = readEndpoint(name, config);
  if (endpoint.kind !== 'http' && endpoint.kind !== 'sse') {
    throw new AgentError('usage', `mcp: ${name} is not an HTTP server and needs no sign-in`);
  }
  return { name, endpoint, config };
}
