import { dirname } from 'node:path';
import { onEndingSignal } from '@qwen/host/process/signals.js';
import { AgentError } from '@qwen/protocol';
import { loadServer } from './serve/load-server.js';
import { readServeFlags, type ServeFlags } from './serve/read-serve-flags.js';
import type { Listening, QwenServer, ServerLogger } from './serve/serve-module.js';
import { SERVE } from './serve/spec.js';
import type { Subcommand, SubcommandOptions } from './subcommand.js';
import { commandHelp } from './words/command-help.js';

/** Grace period for running turns at shutdown; a second signal skips it. */
const GRACE_MS = 2000;
/** Wildcard addresses; local clients use loopback. */
const EVERYWHERE = /\/\/(?:0\.0\.0\.0|\[::\]):/;

const VERBS: Readonly<Record<keyof typeof SERVE.verbs, () => Promise<Subcommand>>> = {
  backup: async () => (await import('./serve/maintain.js')).runServeBackup,
  restore: async () => (await import('./serve/maintain.js')).runServeRestore,
  migrate: async () => (await import('./serve/maintain.js')).runServeMigrate,
  token: async () => (await import('./serve/token.js')).runServeToken,
};

function isVerb(word: string): word is keyof typeof VERBS {
  return Object.hasOwn(VERBS, word);
}

/** The first line of stdout is the address, or `ready` for a worker without one. */
export const runServe: Subcommand = async (options) => {
  if (options.words.some((word) => word === '--help' || word === '-h')) {
    await options.print(commandHelp('serve', SERVE, options.words[0]));
    return 0;
  }
  const [verb = '', ...words] = options.words;
  if (isVerb(verb)) return (await VERBS[verb]())({ ...options, words });
  const flags = readServeFlags(options);
  const logger = await openLogger(flags);
  const ending = new Promise<number>((resolve) => onEndingSignal(resolve));
  const token = flags.token ?? (await loadServer().readOrMintToken(flags.tokenFile));
  const server = await openServer({ ...flags, token, logger }, options);
  try {
    using _notice = await show({ server, token, logger }, flags, options);
    const exitCode = await ending;
    logger.info({}, `shutting down: interrupting the turns that do not finish within ${GRACE_MS / 1000} s`);
    await server.close({ graceMs: GRACE_MS });
    return exitCode;
  } finally {
    await server.close({ graceMs: 0 });
  }
};

async function openLogger({ logFormat, logLevel: level }: ServeFlags): Promise<ServerLogger> {
  const format = logFormat ?? (process.stderr.isTTY ? 'text' : 'json');
  return loadServer().createLogger({ format, level, write: (line) => process.stderr.write(`${line}\n`) });
}

interface Started {
  readonly server: QwenServer;
  readonly token: string;
  readonly logger: ServerLogger;
}

async function show(
  { server, token, logger }: Started,
  flags: ServeFlags,
  options: SubcommandOptions,
): Promise<Disposable | undefined> {
  const { port, host, tls, role, metricsPort } = flags;
  if (metricsPort !== undefined) {
    const { url } = await server.listenMetrics({ port: metricsPort, host });
    logger.info({}, `metrics at ${url}/metrics`);
  }
  if (port === undefined) {
    await options.print('ready\n');
    return undefined;
  }
  const listening = await server.listen({ port, host, tls });
  const notice = role === 'worker' ? undefined : await postNotice(listening, { ...flags, token }, logger);
  await options.print(`${listening.url}\n`);
  logBanner(flags, logger);
  return notice;
}

async function openServer(
  flags: ServeFlags & { readonly token: string; readonly logger: ServerLogger },
  { environment }: SubcommandOptions,
): Promise<QwenServer> {
  const { port: _port, host: _host, tls: _tls, tokenFile: _tokenFile, ...serverOptions } = flags;
  return loadServer().createServer({
    ...serverOptions,
    launch: {
      // The running program, not another installed one.
      ...(process.argv[1] !== undefined && { pathToQwenExecutable: process.argv[1] }),
      env: { QWEN_SERVER_TOKEN: undefined, QWEN_SERVER_STORE: undefined, PORT: undefined },
    },
    // Loaded with the first file request.
    fileRules: async (folder) => (await import('./serve/folder-rules.js')).readFolderRules(folder, { environment }),
  });
}

/** Lets local clients find the server; the server also works without it. */
async function postNotice(
  { url }: Listening,
  { token, tokenFile }: ServeFlags & { readonly token: string },
  logger: ServerLogger,
): Promise<Disposable | undefined> {
  try {
    const ownUrl = url.replace(EVERYWHERE, '//127.0.0.1:');
    return await loadServer().ServerFile.post(dirname(tokenFile), { url: ownUrl, token });
  } catch (thrown) {
    logger.warn({}, `local programs cannot discover the server: ${AgentError.from(thrown).message}`);
    return undefined;
  }
}

function logBanner(flags: ServeFlags, logger: ServerLogger): void {
  if (flags.token === undefined) logger.info({}, `the token is in ${flags.tokenFile}`);
  if (flags.requireAuth && flags.tls === undefined) {
    logger.warn({}, 'every request needs the token; without TLS, it is sent in clear text');
  }
  if (flags.approvalMode === 'yolo') {
    logger.warn({}, 'sessions without an approval mode run everything without asking');
  }
}
