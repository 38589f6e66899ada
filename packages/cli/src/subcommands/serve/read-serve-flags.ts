import { isAbsolute, join, resolve } from 'node:path';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { AgentError, defined, type PermissionMode, type SandboxOption } from '@qwen/protocol';
import type { SubcommandOptions } from '../subcommand.js';
import { type ReadWords, readWords } from '../words/read-words.js';
import type { Retention, SessionRetention } from './serve-module.js';
import { SERVE_FLAGS } from './spec.js';

type Given = ReadWords<typeof SERVE_FLAGS>['flags'];

export interface ServeFlags {
  /** Missing for a worker without a listener. */
  readonly port?: number | undefined;
  readonly host: string;
  /** Missing: use the token file. */
  readonly token?: string | undefined;
  readonly tokenFile: string;
  /** Absolute. */
  readonly tokensFile: string;
  /** Absolute. Missing: none. */
  readonly auditFile?: string;
  readonly requireAuth: boolean;
  /** Absolute paths. Missing: plain HTTP. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
  /** An absolute folder, or a URL as given. */
  readonly store: string;
  readonly role: 'all' | 'front' | 'worker';
  /** Absolute. Missing: the current folder. */
  readonly workspace?: string;
  /** Absolute. */
  readonly workspaceRoots: readonly string[];
  readonly approvalMode: PermissionMode;
  readonly sandbox?: SandboxOption | undefined;
  readonly allowLooserSandbox: boolean;
  readonly approvalTimeoutMs: number;
  readonly maxAgents: number;
  readonly idleMs: number;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly log: { readonly retention: Retention };
  readonly sessionRetention: SessionRetention;
  readonly metrics: boolean;
  readonly metricsPort?: number;
  /** Missing: text on a terminal, otherwise JSON. */
  readonly logFormat?: 'text' | 'json';
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
}

export function readServeFlags({
  words,
  environment,
  cwd,
}: Pick<SubcommandOptions, 'words' | 'environment' | 'cwd'>): ServeFlags {
  const { flags: values } = readWords(words, { command: 'serve', flags: SERVE_FLAGS, onlyFlags: true });
  const serverFolder = join(findConfigDir(environment, cwd), 'server');
  const { host = '127.0.0.1' } = values;
  const store = values.store ?? environment.QWEN_SERVER_STORE ?? serverFolder;
  const { role = 'all', 'metrics-port': metricsPort } = values;
  const port = values.port ?? environment.PORT ?? (role === 'worker' ? undefined : '3000');
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
    ...defined({ token }),
    tokenFile: join(serverFolder, 'token'),
    tokensFile: resolve(cwd, values.tokens ?? join(serverFolder, 'tokens.json')),
    ...toAuditFile(values['audit-log'], isPlace(store) ? store : resolve(cwd, store), cwd),
    requireAuth: values['require-auth'] === true || !isLocal,
    ...toTls(values, cwd),
    store: isPlace(store) ? store : resolve(cwd, store),
    role,
    ...(values.workspace !== undefined && { workspace: toFolder('workspace', values.workspace, cwd) }),
    workspaceRoots: (values['workspace-root'] ?? []).map((folder) => toFolder('workspace-root', folder, cwd)),
    approvalMode: values['approval-mode'] ?? 'default',
    ...defined({ sandbox: values.sandbox }),
    allowLooserSandbox: values['allow-looser-sandbox'] === true,
    approvalTimeoutMs: toMs('approval-timeout', values['approval-timeout'] ?? '60'),
    maxAgents: toNumber('max-sessions', values['max-sessions'] ?? '32', { least: 1, most: 10_000 }),
    idleMs: toMs('idle-timeout', values['idle-timeout'] ?? '60'),
    hosts: values['allow-host'] ?? [],
    origins: values['allow-origin'] ?? [],
    ...toRetention(values),
    metrics: values.metrics === true || metricsPort !== undefined,
    ...(metricsPort !== undefined && {
      metricsPort: toNumber('metrics-port', metricsPort, { least: 0, most: 65_535 }),
    }),
    ...defined({ logFormat: values['log-format'] }),
    logLevel: values['log-level'] ?? 'info',
  };
}

function toTls({ 'tls-cert': cert, 'tls-key': key }: Given, cwd: string): Pick<ServeFlags, 'tls'> {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) {
    throw new AgentError('usage', 'serve: --tls-cert and --tls-key must be used together');
  }
  return { tls: { certFile: resolve(cwd, cert), keyFile: resolve(cwd, key) } };
}

const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

function toRetention(values: Given): Pick<ServeFlags, 'log' | 'sessionRetention'> {
  const read = (flag: keyof Given, unit: number): number | undefined => {
    const text = values[flag];
    return typeof text === 'string' ? toNumber(flag, text, { least: 1, most: 999_999 }) * unit : undefined;
  };
  return {
    log: {
      retention: {
        maxAgeMs: read('retain-event-days', DAY_MS),
        maxEvents: read('retain-events', 1),
        maxBytes: read('retain-event-mib', MIB),
      },
    },
    sessionRetention: { maxAgeMs: read('retain-session-days', DAY_MS), maxSessions: read('retain-sessions', 1) },
  };
}

function toAuditFile(file: string | undefined, store: string, cwd: string): Pick<ServeFlags, 'auditFile'> {
  if (file !== undefined) return { auditFile: resolve(cwd, file) };
  return isAbsolute(store) ? { auditFile: join(store, 'audit.jsonl') } : {};
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
