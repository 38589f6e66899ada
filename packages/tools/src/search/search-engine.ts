import { AgentError } from '@qwen/protocol';

/** Both engines interpret it alike; see `search-engine.contract.ts`. */
export interface SearchRequest {
  /** A real path. */
  readonly folder: string;
  /** Search only this file of the folder, even if it is ignored. */
  readonly file?: string;
  /** A regular expression for one line, case-insensitive. */
  readonly pattern: string;
  /** Takes the names from the folder down to a file. */
  readonly accepts: (names: readonly string[]) => boolean;
  readonly signal: AbortSignal;
  /** Receives the reason when something was skipped. */
  readonly onCut: (reason: string) => void;
}

/** Lines have no line end. */
export interface FileMatches {
  readonly names: readonly string[];
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

/**
 * Finds lines in files, sorted by path. Skips binary files, links, special files and files over {@link
 * MAX_SEARCHED_BYTES}. Breaking the loop stops the search. Throws `invalid_tool_input` for an invalid pattern and
 * `search_timeout`.
 */
export type SearchEngine = (request: SearchRequest) => AsyncIterable<FileMatches>;

export const MAX_SEARCHED_BYTES = 10 * 1024 * 1024;

/** In UTF-16 units. */
export const MAX_LINE_LENGTH = 400;

export const MAX_LINES_A_FILE = 1000;

export function invalidPattern(pattern: string, cause: unknown): AgentError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AgentError('invalid_tool_input', `Invalid regular expression ${pattern}: ${reason}`, { cause });
}
