import type { AgentError } from '@qwen/protocol';
import type { QueryOptions } from '../options/options.js';

/** Its members do not throw. */
export interface ProblemReport {
  /** Does not end the query: a skipped line, a callback that threw. */
  readonly problem: (error: AgentError) => void;
  readonly debug: (text: () => string) => void;
}

/** To the option `stderr`, or with `debug` to stderr. Never to stdout, which belongs to the app. */
export function createProblemReport(options: Pick<QueryOptions, 'stderr' | 'debug'>): ProblemReport {
  const { stderr, debug = false } = options;
  const write = (text: string): void => {
    try {
      if (stderr !== undefined) stderr(`[qwen sdk] ${text}`);
      else if (debug) process.stderr.write(`[qwen sdk] ${text}\n`);
    } catch {
      // No other place to report to.
    }
  };
  return {
    problem: (error) => write(describeProblem(error)),
    debug: (text) => {
      if (debug) write(text());
    },
  };
}

function describeProblem({ code, message, data }: AgentError): string {
  const excerpt = data['excerpt'];
  return `${code}: ${message}${typeof excerpt === 'string' ? ` ${JSON.stringify(excerpt)}` : ''}`;
}
