import type { Environment } from '@qwen/host/config/env.js';

/** What was looked at. */
export type FindingArea =
  | 'program'
  | 'model'
  | 'settings'
  | 'trust'
  | 'mcp'
  | 'sessions'
  | 'storage'
  | 'tools'
  | 'terminal'
  | 'network';

/** One thing that was found. Never holds a secret. */
export interface Finding {
  readonly area: FindingArea;
  /** `error`: something would fail. `warning`: something is weaker than it could be. */
  readonly level: 'ok' | 'warning' | 'error';
  readonly message: string;
  /** What to do about it. */
  readonly advice?: string;
  /** Absolute path of the file at fault, and the place in it; both count from 1. */
  readonly path?: string;
  readonly line?: number;
  readonly column?: number;
}

/** What is looked at. The parts that are not ours come in through here. */
export interface DoctorPlace {
  /** Absolute path of the working folder. */
  readonly cwd: string;
  /** Absolute path of the folder of qwen itself. */
  readonly qwenHome: string;
  readonly environment: Environment;
  /** The whole environment: proxies, languages and terminals have names that the program itself never reads. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Whether servers elsewhere are asked. */
  readonly isOnline: boolean;
}

/** Looks at one thing. Rejects only for faults of ours. */
export type Check = (place: DoctorPlace) => Promise<readonly Finding[]>;
