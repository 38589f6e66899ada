export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Readonly<Record<string, unknown>>;

/** A logger of `pino` is one. Its methods must not throw. */
export type ServerLogger = { readonly [Level in LogLevel]: (fields: LogFields, message: string) => void };

export interface LoggerOptions {
  /** JSON lines of `pino`, or text for people. */
  readonly format: 'json' | 'text';
  /** Lower levels are left out. Default `info`. */
  readonly level?: LogLevel | undefined;
  /** Receives each line, without its end. */
  readonly write: (line: string) => void;
}

/** A logger that hides what looks like a secret. The server passes it no prompts, answers or tool inputs. */
export async function createLogger({ format, level = 'info', write }: LoggerOptions): Promise<ServerLogger> {
  const log = format === 'json' ? await jsonLogger(level, write) : textLogger(level, write);
  const safely =
    (name: LogLevel): ServerLogger[LogLevel] =>
    (fields, message) =>
      log[name](hideInFields(fields), hideSecrets(message));
  return { debug: safely('debug'), info: safely('info'), warn: safely('warn'), error: safely('error') };
}

export const SILENT: ServerLogger = { debug: ignore, info: ignore, warn: ignore, error: ignore };

async function jsonLogger(level: LogLevel, write: (line: string) => void): Promise<ServerLogger> {
  const { pino, stdTimeFunctions } = await import('pino');
  const log: ServerLogger = pino(
    { level, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    { write: (line: string) => write(line.trimEnd()) },
  );
  return log;
}

function textLogger(level: LogLevel, write: (line: string) => void): ServerLogger {
  const least = LOG_LEVELS.indexOf(level);
  const at =
    (name: LogLevel): ServerLogger[LogLevel] =>
    (fields, message) => {
      if (LOG_LEVELS.indexOf(name) < least) return;
      const members = Object.entries(fields).flatMap(([key, value]) =>
        value === undefined ? [] : [`${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
      );
      // A line break would forge a line.
      const text = [message, ...members].join(' ').replaceAll(/\p{Cc}+/gu, ' ');
      write(`${new Date().toISOString()} ${name} ${text}`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

const SECRET_NAMES = /^(?:authorization|cookie|token|password|secret|api[_-]?key|ticket)$/i;
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 [redacted]'],
  [/(\w:\/\/)[^/\s@]+@/g, '$1[redacted]@'],
  [/\b(?:sk|pk|ghp|gho|xox[abp])[-_][\w-]{8,}/g, '[redacted]'],
  [/\b((?:token|ticket|api[_-]?key|password|secret)=)[^\s&"']+/gi, '$1[redacted]'],
];

/** Hides passwords in URLs, bearer tokens, keys and query parameters. */
function hideSecrets(text: string): string {
  return SECRETS.reduce((rest, [pattern, shown]) => rest.replaceAll(pattern, shown), text);
}

function hideInFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (SECRET_NAMES.test(name)) return [name, '[redacted]'];
      return [name, typeof value === 'string' ? hideSecrets(value) : value];
    }),
  );
}

function ignore(): void {
  // Nothing.
}
