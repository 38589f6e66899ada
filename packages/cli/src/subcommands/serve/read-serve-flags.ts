import { isAbsolute, join, resolve } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { findQwenHome } from '@qwen/host/config/qwen-home.js';
import { AgentError, type PermissionMode, permissionModeSchema } from '@qwen/protocol';
import * as z from 'zod/mini';
import type { SubcommandOptions } from '../subcommand.js';

export const SERVE_FLAGS = {
  port: { type: 'string', short: 'p' },
  host: { type: 'string' },
  token: { type: 'string' },
  'require-auth': { type: 'boolean' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  store: { type: 'string' },
  role: { type: 'string' },
  workspace: { type: 'string' },
  'workspace-root': { type: 'string', multiple: true },
  'approval-mode': { type: 'string' },
  'approval-timeout': { type: 'string' },
  'max-sessions': { type: 'string' },
  'idle-timeout': { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

export const SERVE_HELP = `Usage: qwen serve [flags]

Serve sessions over HTTP, with a web page.

  --port N, -p N         Port to listen on; 0: any free port. Default: PORT, otherwise 3000.
  --host ADDRESS         Address to listen on. Default: 127.0.0.1. Any address other than loopback needs a token.
  --token TOKEN          Token that clients must send. Prefer QWEN_SERVER_TOKEN: process lists show flags.
                         Default: the token in ~/.qwen/server/token, created at the first start.
  --require-auth         Require the token on every route. Always on for addresses other than loopback.
  --tls-cert FILE        Serve TLS with this PEM certificate, followed by its intermediate certificates.
  --tls-key FILE         Private key of the certificate, in PEM. Only its owner may be able to read the file.
  --store LOCATION       A folder, redis://… for several servers, or memory: to store nothing. Default: ~/.qwen/server.
                         Put a password in QWEN_SERVER_STORE instead: process lists show flags.
  --role ROLE            With Redis: front answers clients, worker runs turns, all does both. Default: all.
                         A worker listens only with --port, for /health and /ready.
  --workspace FOLDER     Folder of sessions that name none. Default: the current folder.
  --workspace-root DIR   Allow only this folder and those below as workspaces. Repeatable. Default: any project folder.
  --approval-mode MODE   Mode of sessions that set none: default, plan, auto-edit or yolo. Default: default.
  --approval-timeout S   Seconds to wait for the answer to a permission question. Default: 60.
  --max-sessions N       Agents that run at the same time; further turns wait. Default: 32.
  --idle-timeout S       Seconds after which an idle agent exits. Default: 60.
  --allow-host NAME      Also accept requests for this host and port, e.g. qwen.example:443. Repeatable.
  --allow-origin URL     Also accept requests from pages of this origin, e.g. https://app.example. Repeatable.
`;

const roleSchema = z.enum(['all', 'front', 'worker']);
type ServeRole = z.infer<typeof roleSchema>;

export interface ServeFlags {
  /** Missing for a worker without a listener. */
  readonly port?: number | undefined;
  readonly host: string;
  /** Missing: use the token file. */
  readonly token?: string | undefined;
  readonly tokenFile: string;
  readonly requireAuth: boolean;
  /** Absolute paths. Missing: plain HTTP. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** An absolute folder, or a URL as given. */
  readonly store: string;
  readonly role: ServeRole;
  /** Absolute. Missing: the current folder. */
  readonly workspace?: string;
  /** Absolute. */
  readonly workspaceRoots: readonly string[];
  readonly approvalMode: PermissionMode;
  readonly approvalTimeoutMs: number;
  readonly maxAgents: number;
  readonly idleMs: number;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
}

export function readServeFlags({
  words,
  environment,
  cwd,
}: Pick<SubcommandOptions, 'words' | 'environment' | 'cwd'>): ServeFlags | 'help' {
  const values = parse(words);
  if (values.help === true) return 'help';
  const serverFolder = join(findQwenHome(environment, cwd), 'server');
  const { host = '127.0.0.1' } = values;
  const store = values.store ?? environment.QWEN_SERVER_STORE ?? serverFolder;
  const role = roleSchema.safeParse(values.role ?? 'all');
  if (!role.success) throw new AgentError('usage', `serve: --role "${values.role}" is not one of all, front, worker`);
  const port = values.port ?? environment.PORT ?? (role.data === 'worker' ? undefined : '3000');
  const mode = permissionModeSchema.safeParse(values['approval-mode'] ?? 'default');
  if (!mode.success)
    throw new AgentError(
      'usage',
      `serve: --approval-mode "${values['approval-mode']}" is not one of default, plan, auto-edit, yolo`,
    );
  const token = values.token ?? environment.QWEN_SERVER_TOKEN;
  if (token !== undefined && !/^[\w.~+/=-]{16,1024}$/.test(token)) {
    throw new AgentError('usage', 'serve: a token needs at least 16 characters: letters, digits and . _ ~ + / = -');
  }
  const isLocal = ['127.0.0.1', 'localhost', '::1'].includes(host);
  if (!isLocal && token === undefined) {
    throw new AgentError('usage', `serve: other machines can reach ${host}, so set QWEN_SERVER_TOKEN or --token`);
  }
  return {
    ...(port !== undefined && { port: toNumber('port', port, { least: 0, most: 65_535 }) }),
    host,
    ...(token !== undefined && { token }),
    tokenFile: join(serverFolder, 'token'),
    requireAuth: values['require-auth'] === true || !isLocal,
    ...toTls(values, cwd),
    store: isPlace(store) ? store : resolve(cwd, store),
    role: role.data,
    ...(values.workspace !== undefined && { workspace: toFolder('workspace', values.workspace, cwd) }),
    workspaceRoots: (values['workspace-root'] ?? []).map((folder) => toFolder('workspace-root', folder, cwd)),
    approvalMode: mode.data,
    approvalTimeoutMs: toMs('approval-timeout', values['approval-timeout'] ?? '60'),
    maxAgents: toNumber('max-sessions', values['max-sessions'] ?? '32', { least: 1, most: 10_000 }),
    idleMs: toMs('idle-timeout', values['idle-timeout'] ?? '60'),
    hosts: values['allow-host'] ?? [],
    origins: values['allow-origin'] ?? [],
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: SERVE_FLAGS, allowPositionals: false }).values;
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    throw new AgentError('usage', `serve: ${message}`);
  }
}

function toTls(
  { 'tls-cert': cert, 'tls-key': key }: { readonly 'tls-cert'?: string; readonly 'tls-key'?: string },
  cwd: string,
): Pick<ServeFlags, 'tls'> {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) {
    throw new AgentError('usage', 'serve: --tls-cert and --tls-key must be used together');
  }
  return { tls: { certFile: resolve(cwd, cert), keyFile: resolve(cwd, key) } };
}

function toFolder(flag: string, path: string, cwd: string): string {
  if (path !== '' && !path.includes('\0')) return resolve(cwd, path);
  throw new AgentError('usage', `serve: --${flag} needs the path of a folder`);
}

function isPlace(store: string): boolean {
  return isAbsolute(store) || /^(?:memory:|\w+:\/\/)/.test(store);
}

function toMs(flag: string, seconds: string): number {
  return toNumber(flag, seconds, { least: 1, most: 86_400 }) * 1000;
}

function toNumber(
  flag: string,
  text: string,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new AgentError('usage', `serve: --${flag} needs a whole number from ${least} to ${most}, not "${text}"`);
}
