import { AgentError, messageOf } from '@qwen/protocol';

/** See `search-engine.contract.ts`. */
export interface SearchRequest {
  /** A real path. */
  readonly folder: string;
  /** A file of the folder, even an ignored one. */
  readonly file?: string;
  /** For one line. */
  readonly pattern: string;
  /** Default false. */
  readonly isCaseSensitive?: boolean;
  readonly accepts: (names: readonly string[]) => boolean;
  readonly signal: AbortSignal;
  readonly onCut: (reason: string) => void;
}

export interface FileMatches {
  readonly names: readonly string[];
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

/**
 * Sorted by path. Skips binary files, links and files over {@link MAX_SEARCHED_BYTES}. Breaking the loop stops the
 * search. Throws `invalid_tool_input` and `search_timeout`.
 */
export type SearchEngine = (request: SearchRequest) => AsyncIterable<FileMatches>;

export const MAX_SEARCHED_BYTES = 10 * 1024 * 1024;

/** In UTF-16 units. */
export const MAX_LINE_LENGTH = 400;

export const MAX_LINES_PER_FILE = 1000;

export function invalidPattern(pattern: string, cause: unknown): AgentError {
  const reason = messageOf(cause);
  return new AgentError('invalid_tool_input', `Invalid regular expression ${pattern}: ${reason}`, { cause });
}
