import type { PermissionMode } from '@qwen/protocol';

/**
 * The part of `@qwen/server` that `qwen serve` uses. Declared here because that package is optional;
 * `e2e/server/serve.test.ts` checks that it matches.
 */
export interface ServeModule {
  createServer(options: ServeOptions): Promise<QwenServer>;
  readOrMintToken(file: string): Promise<string>;
  readonly ServerFile: {
    post(folder: string, notice: { readonly url: string; readonly token: string }): Promise<Disposable>;
  };
}

export interface ServeOptions {
  readonly store: string;
  readonly role: 'all' | 'front' | 'worker';
  readonly token: string;
  readonly requireAuth: boolean;
  readonly workspace?: string | undefined;
  readonly workspaceRoots?: readonly string[] | undefined;
  readonly approvalMode?: PermissionMode | undefined;
  readonly approvalTimeoutMs?: number | undefined;
  readonly maxAgents?: number | undefined;
  readonly idleMs?: number | undefined;
  readonly hosts?: readonly string[] | undefined;
  readonly origins?: readonly string[] | undefined;
  readonly launch: {
    readonly pathToQwenExecutable?: string;
    readonly env: Readonly<Record<string, string | undefined>>;
  };
  readonly fileRules: (workspaceRoot: string) => Promise<FileRules>;
  readonly onNotice: (notice: string) => void;
}

export interface QwenServer {
  listen(options: ListenOptions): Promise<Listening>;
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
