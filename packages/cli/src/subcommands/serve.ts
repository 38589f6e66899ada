import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { onEndingSignal } from '@qwen/host/process/signals.js';
import { AgentError } from '@qwen/protocol';
import { readServeFlags, SERVE_HELP, type ServeFlags } from './serve/read-serve-flags.js';
import type { Listening, QwenServer, ServeModule } from './serve/serve-module.js';
import type { Subcommand, SubcommandOptions } from './subcommand.js';

/** How long running turns get when the server is told to end, in milliseconds. A second signal waits for nothing. */
const GRACE_MS = 2000;
/** No address to connect to; programs of this machine come by loopback. */
const EVERYWHERE = /\/\/(?:0\.0\.0\.0|\[::\]):/;

/** `qwen serve`: sessions over HTTP (GAP-61). The first line of stdout is the address, once it is listened at; `ready` where there is none. */
export const runServe: Subcommand = async (options) => {
  const flags = readServeFlags(options);
  if (flags === 'help') {
    await options.print(SERVE_HELP);
    return 0;
  }
  const told = new Promise<number>((resolve) => onEndingSignal(resolve));
  const token = flags.token ?? (await loadServer().readOrMintToken(flags.tokenFile));
  const server = await openServer({ ...flags, token }, options);
  try {
    using _notice = await show({ server, token }, flags, options);
    const exitCode = await told;
    options.remark('shutting down: running turns get a moment to finish, then they are interrupted');
    await server.close({ graceMs: GRACE_MS });
    return exitCode;
  } finally {
    await server.close({ graceMs: 0 });
  }
};

/** Listens and says where; a worker that listens nowhere says that it is ready. */
async function show(
  { server, token }: { readonly server: QwenServer; readonly token: string },
  flags: ServeFlags,
  options: SubcommandOptions,
): Promise<Disposable | undefined> {
  const { port, host, tls, role } = flags;
  if (port === undefined) {
    await options.print('ready\n');
    return undefined;
  }
  const listening = await server.listen({ port, host, tls });
  const notice = role === 'worker' ? undefined : await postNotice(listening, { ...flags, token }, options);
  await greet(listening, flags, options);
  return notice;
}

async function openServer(
  flags: ServeFlags & { readonly token: string },
  { remark, environment }: SubcommandOptions,
): Promise<QwenServer> {
  const { port: _port, host: _host, tls: _tls, tokenFile: _tokenFile, ...told } = flags;
  return loadServer().createServer({
    ...told,
    launch: {
      // The program that runs now, and not another one that happens to be installed.
      ...(process.argv[1] !== undefined && { pathToQwenExecutable: process.argv[1] }),
      env: { QWEN_SERVER_TOKEN: undefined, QWEN_SERVER_STORE: undefined, PORT: undefined },
    },
    // What it takes to know rules is loaded by who asks for files.
    fileRules: async (folder) => (await import('./serve/folder-rules.js')).readFolderRules(folder, { environment }),
    onNotice: remark,
  });
}

/** Programs of this user find the server by it; one whose home cannot be written serves all the same. */
async function postNotice(
  { url }: Listening,
  { token, tokenFile }: ServeFlags & { readonly token: string },
  { remark }: SubcommandOptions,
): Promise<Disposable | undefined> {
  try {
    const ownUrl = url.replace(EVERYWHERE, '//127.0.0.1:');
    return await loadServer().ServerNotice.post(dirname(tokenFile), { url: ownUrl, token });
  } catch (thrown) {
    remark(`local programs cannot discover the server: ${AgentError.from(thrown).message}`);
    return undefined;
  }
}

/** A package of its own: most who install the program never serve. */
function loadServer(): ServeModule {
  try {
    // Required: code that the program keeps compiled cannot import without a warning of Node.js.
    return createRequire(import.meta.url)('@qwen/server');
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'MODULE_NOT_FOUND')) throw thrown;
    const message = 'qwen serve needs the package @qwen/server. Install it with: npm install --global @qwen/server';
    throw new AgentError('usage', message, { cause: thrown });
  }
}

async function greet({ url }: Listening, flags: ServeFlags, { print, remark }: SubcommandOptions): Promise<void> {
  await print(`${url}\n`);
  if (flags.token === undefined) remark(`the token is in ${flags.tokenFile}`);
  if (flags.requireAuth && flags.tls === undefined) {
    remark('every request needs the token; without TLS, it is sent in clear text');
  }
  if (flags.approvalMode === 'yolo') remark('sessions without an approval mode run everything without asking');
}
