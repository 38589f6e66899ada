import type { ToolKind } from '@qwen/protocol';
import type { GitHazards, ResolvedPath } from '../ports.js';
import type { Confinement, ToolDefinition, ToolService } from '../tool.js';
import type { ShellReading } from './shell/shell-reading.js';

export interface CallPath extends ResolvedPath {
  readonly access: 'read' | 'write';
}

export interface ShellFacts {
  readonly reading: ShellReading;
  readonly paths: ReadonlyMap<string, ResolvedPath>;
  /** Read-only operands that may be folders, where links can lead outside. */
  readonly folders: ReadonlySet<string>;
  /** Keyed by the folder in which git runs. Missing: unknown. */
  readonly git: ReadonlyMap<string, GitHazards>;
  /** Why files that programs find are not safe, by `foundFilesKey`; undefined if they are. Missing: unknown. */
  readonly found?: ReadonlyMap<string, string | undefined>;
  /** What words and patterns name, by `namesOf`. */
  readonly words?: ReadonlyMap<string, readonly ResolvedPath[]>;
  /** The folders that commands take, by `listingKey`; other taken names are no folders. Missing: unknown. */
  readonly below?: ReadonlyMap<string, TakenFolder>;
}

export interface TakenFolder {
  readonly folder: ResolvedPath;
  /** Undefined if they were not listed or are too many. */
  readonly paths: readonly ResolvedPath[] | undefined;
}

export interface CallFacts {
  readonly toolName: string;
  readonly aliases: readonly string[];
  readonly kind: ToolKind;
  readonly isTrusted?: boolean;
  readonly definition?: Pick<ToolDefinition, 'state'>;
  readonly service?: ToolService;
  /** A question to a person, which nothing else can answer. */
  readonly isQuestion?: boolean;
  readonly paths: readonly CallPath[];
  readonly command?: string;
  /** The host of a network request, as `normalHost` writes it. */
  readonly host?: string;
  /** Missing: no sandbox has a say. */
  readonly confinement?: Confinement;
  /** Missing: the command counts as unreadable. */
  readonly shell?: ShellFacts;
}
