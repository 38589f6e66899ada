import type { Environment } from '@qwen/host/config/env.js';

export type FindingArea =
  | 'program'
  | 'model'
  | 'settings'
  | 'trust'
  | 'mcp'
  | 'skills'
  | 'plugins'
  | 'sessions'
  | 'storage'
  | 'tools'
  | 'sandbox'
  | 'terminal'
  | 'network';

export interface Finding {
  readonly area: FindingArea;
  /** `error`: something fails. `warning`: something is degraded. */
  readonly level: 'ok' | 'warning' | 'error';
  readonly message: string;
  readonly advice?: string;
  /** Absolute path; line and column count from 1. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}

export interface DoctorContext {
  readonly cwd: string;
  readonly configDir: string;
  readonly environment: Environment;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly isOnline: boolean;
}

/** Rejects only for internal errors. */
export type Check = (place: DoctorContext) => Promise<readonly Finding[]>;
