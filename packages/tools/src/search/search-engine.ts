import { AgentError } from '@qwen/protocol';

/** What to look for. Both engines understand it in the same way (the suite in `search-engine.contract.ts`). */
export interface SearchRequest {
  /** Real path of the folder to search. */
  readonly folder: string;
  /** Search this file of the folder alone, whatever the ignore rules say. */
  readonly file?: string;
  /** A regular expression for one line; upper and lower case count as the same. */
  readonly pattern: string;
  /** Whether a file is wanted, by its names from the folder down. */
  readonly accepts: (names: readonly string[]) => boolean;
  readonly signal: AbortSignal;
  /** Called when something was left out, with the reason. */
  readonly onCut: (reason: string) => void;
}

/** The matching lines of one file, without their line ends. */
export interface FileMatches {
  readonly names: readonly string[];
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

/**
 * Finds lines in files. Yields file by file in the order of the paths; binary files, links, special files and files
 * over {@link MAX_SEARCHED_BYTES} are left out. Leaving the loop early stops the work. Throws `invalid_tool_input`
 * for a pattern that it cannot read and `search_timeout` when one takes too long.
 */
export type SearchEngine = (request: SearchRequest) => AsyncIterable<FileMatches>;

/** Larger files are not searched. */
export const MAX_SEARCHED_BYTES = 10 * 1024 * 1024;

/** Longest shown part of a line, in UTF-16 units. */
export const MAX_LINE_LENGTH = 400;

/** The most lines that one file may contribute; the rest of it would only repeat itself. */
export const MAX_LINES_A_FILE = 1000;

/** The error for a pattern that is not a regular expression. */
export function invalidPattern(pattern: string, cause: unknown): AgentError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AgentError('invalid_tool_input', `Not a regular expression: ${pattern}: ${reason}`, { cause });
}
