import type { AgentError } from '@qwen/protocol';
import { isLogged, type LogLevel, toLogLine } from '../logger.js';
import type { QueryOptions } from '../options/options.js';

/** A callback of the app failed, which its developer must notice. */
const CALLBACK_CODES: ReadonlySet<string> = new Set(['handler_failed', 'hook_failed']);

/** Its members do not throw. */
export interface ProblemReport {
  /** Does not end the query: a skipped line, a callback that threw. */
  readonly problem: (error: AgentError) => void;
  readonly info: (text: () => string) => void;
  readonly debug: (text: () => string) => void;
}

/**
 * To the option `stderr`, or with `debug` or `logLevel` to stderr; failed callbacks at least as a warning. Never to
 * stdout, which belongs to the app.
 */
export function createProblemReport(options: Pick<QueryOptions, 'stderr' | 'debug' | 'logLevel'>): ProblemReport {
  const { stderr, debug = false, logLevel } = options;
  const least = logLevel ?? (debug ? 'debug' : 'warn');
  const write = (level: LogLevel, text: string, isCallback = false): void => {
    if (!isLogged(level, least)) return;
    const line = logLevel === undefined ? `[qwen sdk] ${text}` : toLogLine(level, 'Query', text);
    try {
      if (stderr !== undefined) stderr(line);
      else if (debug || logLevel !== undefined) process.stderr.write(`${line}\n`);
      else if (isCallback) process.emitWarning(text, { code: 'QWEN_CALLBACK_FAILED' });
    } catch {
      // No other place to report to.
    }
  };
  return {
    problem: (error) => {
      const isCallback = CALLBACK_CODES.has(error.code);
      write(isCallback ? 'error' : 'warn', describeProblem(error), isCallback);
    },
    info: (text) => {
      if (isLogged('info', least)) write('info', text());
    },
    debug: (text) => {
      if (isLogged('debug', least)) write('debug', text());
    },
  };
}

function describeProblem({ code, message, data }: AgentError): string {
  const excerpt = data['excerpt'];
  return `${code}: ${message}${typeof excerpt === 'string' ? ` ${JSON.stringify(excerpt)}` : ''}`;
}
