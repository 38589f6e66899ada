import type { AgentError } from '@qwen/protocol';
import type { QueryOptions } from '../options/options.js';

/** A callback of the app failed, which its developer must notice. */
const CALLBACK_CODES: ReadonlySet<string> = new Set(['handler_failed', 'hook_failed']);

/** Its members do not throw. */
export interface ProblemReport {
  /** Does not end the query: a skipped line, a callback that threw. */
  readonly problem: (error: AgentError) => void;
  readonly debug: (text: () => string) => void;
}

/** To the option `stderr`, or with `debug` to stderr; failed callbacks at least as a warning. Never to stdout, which belongs to the app. */
export function createProblemReport(options: Pick<QueryOptions, 'stderr' | 'debug'>): ProblemReport {
  const { stderr, debug = false } = options;
  const write = (text: string, isCallback = false): void => {
    try {
      if (stderr !== undefined) stderr(`[qwen sdk] ${text}`);
      else if (debug) process.stderr.write(`[qwen sdk] ${text}\n`);
      else if (isCallback) process.emitWarning(text, { code: 'QWEN_CALLBACK_FAILED' });
    } catch {
      // No other place to report to.
    }
  };
  return {
    problem: (error) => write(describeProblem(error), CALLBACK_CODES.has(error.code)),
    debug: (text) => {
      if (debug) write(text());
    },
  };
}

function describeProblem({ code, message, data }: AgentError): string {
  const excerpt = data['excerpt'];
  return `${code}: ${message}${typeof excerpt === 'string' ? ` ${JSON.stringify(excerpt)}` : ''}`;
}
