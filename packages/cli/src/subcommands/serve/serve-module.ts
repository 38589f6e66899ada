import type { PermissionMode, SandboxOption } from '@qwen/protocol';

/**
 * The part of `@qwen/server` that `qwen serve` uses. Declared here because that package is optional;
 * `e2e/server/serve.test.ts` checks that it matches.
 */
export interface ServeModule {
  createServer(options: ServeOptions): Promise<QwenServer>;
  backupStore(store: string, folder: string): Promise<BackupManifest>;
  checkBackup(folder: string): Promise<BackupManifest>;
  restoreStore(store: string, folder: string, options: { readonly replace: boolean }): Promise<BackupManifest>;
  migrateStore(
    store: string,
  ): Promise<readonly { readonly file: string; readonly from: number | undefined; readonly to: number }[]>;
  readonly AccessTokens: new (path: string) => AccessTokens;
  readOrMintToken(file: string): Promise<string>;
  createLogger(options: {
    readonly format: 'text' | 'json';
    readonly level: LogLevel;
    readonly write: (line: string) => void;
  }): Promise<ServerLogger>;
  readonly ServerFile: {
    post(folder: string, notice: { readonly url: string; readonly token: string }): Promise<Disposable>;
  };
}

export interface BackupManifest {
  readonly version: string;
  readonly created_at: string;
  readonly sessions: number;
}

export interface Retention {
  readonly maxAgeMs?: number | undefined;
  readonly maxEvents?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export interface SessionRetention {
  readonly maxAgeMs?: number | undefined;
  readonly maxSessions?: number | undefined;
}

export const TOKEN_SCOPES = ['read', 'write', 'approve', 'metrics', 'admin'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export interface TokenLimits {
  readonly requests_per_minute?: number | undefined;
  readonly concurrent_turns?: number | undefined;
  readonly tokens_per_day?: number | undefined;
  readonly usd_per_day?: number | undefined;
}

export interface AccessTokens {
  create(token: {
    readonly name: string;
    readonly scopes: TokenScope[];
    readonly limits: TokenLimits;
    readonly expiresAt?: Date | undefined;
  }): Promise<{ readonly token: string; readonly id: string }>;
  revoke(idOrName: string): Promise<number>;
  list(): Promise<
    readonly {
      readonly id: string;
      readonly name: string;
      readonly hash: string;
      readonly scopes: readonly TokenScope[];
      readonly expires_at?: string | undefined;
      readonly limits: TokenLimits;
    }[]
  >;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type ServerLogger = {
  readonly [Level in LogLevel]: (fields: Readonly<Record<string, unknown>>, message: string) => void;
};

export interface ServeOptions {
  readonly store: string;
  readonly role: 'all' | 'front' | 'worker';
  readonly token: string;
  readonly tokensFile: string;
  readonly auditFile?: string | undefined;
  readonly requireAuth: boolean;
  readonly workspace?: string | undefined;
  readonly workspaceRoots?: readonly string[] | undefined;
  readonly approvalMode?: PermissionMode | undefined;
  readonly sandbox?: SandboxOption | undefined;
  readonly allowLooserSandbox?: boolean | undefined;
  readonly approvalTimeoutMs?: number | undefined;
  readonly maxAgents?: number | undefined;
  readonly idleMs?: number | undefined;
  readonly log?: { readonly retention?: Retention | undefined } | undefined;
  readonly sessionRetention?: SessionRetention | undefined;
  readonly hosts?: readonly string[] | undefined;
  readonly origins?: readonly string[] | undefined;
  readonly launch: {
    readonly pathToQwenExecutable?: string;
    readonly env: Readonly<Record<string, string | undefined>>;
  };
  readonly fileRules: (workspaceRoot: string) => Promise<FileRules>;
  readonly logger: ServerLogger;
  readonly metrics: boolean;
}

export interface QwenServer {
  listen(options: ListenOptions): Promise<Listening>;
  listenMetrics(options: { readonly port: number; readonly host: string }): Promise<Listening>;
  close(options: { readonly graceMs: number }): Promise<void>;
}

export interface ListenOptions {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly tls?: { readonly certFile: string; readonly keyFile: string } | undefined;
}

export interface Listening {
  readonly url: string;
}

export interface FileRules {
  hides(path: string): boolean;
  locks(path: string): Promise<boolean>;
}
