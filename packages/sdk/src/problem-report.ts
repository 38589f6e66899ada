import type { AgentError } from '@qwen/protocol';
import type { QueryOptions } from './options.js';

/** Where the SDK says what it noticed. Neither member throws. */
export interface ProblemReport {
  /** Something went wrong that is no failure of the query: a line that was skipped, a callback that threw. */
  readonly problem: (error: AgentError) => void;
  /** What the SDK does, line by line; told only with `debug`. */
  readonly debug: (text: () => string) => void;
}

/**
 * Problems go to the app's `stderr` callback, or with `debug` to the stderr of this process; without either they are
 * dropped (GAP-54). Nothing ever goes to stdout: that belongs to the app (HOUSE §4.24).
 */
export function createProblemReport(options: Pick<QueryOptions, 'stderr' | 'debug'>): ProblemReport {
  const { stderr, debug = false } = options;
  const say = (text: string): void => {
    try {
      if (stderr !== undefined) stderr(`[qwen sdk] ${text}`);
      else if (debug) process.stderr.write(`[qwen sdk] ${text}\n`);
    } catch {
      // The app's callback failed at telling; there is nobody left to tell.
    }
  };
  return {
    problem: (error) => say(describeProblem(error)),
    debug: (text) => {
      if (debug) say(text());
    },
  };
}

function describeProblem({ code, message, data }: AgentError): string {
  const excerpt = data['excerpt'];
  return `${code}: ${message}${typeof excerpt === 'string' ? ` ${JSON.stringify(excerpt)}` : ''}`;
}
