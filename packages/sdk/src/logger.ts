/** How much is logged: each level includes the ones after it. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Settings of {@link SdkLogger}. */
export interface LoggerConfig {
  /** Logs everything, unless `logLevel` is set. */
  readonly debug?: boolean | undefined;
  /** Receives each line. Default: the stderr of this process. */
  readonly stderr?: ((message: string) => void) | undefined;
  /** Default: `error`. */
  readonly logLevel?: LogLevel | undefined;
}

/** Logs under one name. Further values are added as JSON, errors with their stack. */
export type ScopedLogger = Readonly<Record<LogLevel, (message: string, ...values: unknown[]) => void>>;

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

export function isLogged(level: LogLevel, least: LogLevel): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(least);
}

/** A line such as `2026-01-31 08:30:00 [WARN] [Query] text`. */
export function toLogLine(level: LogLevel, scope: string, text: string): string {
  const now = new Date();
  const digits = (value: number) => String(value).padStart(2, '0');
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(digits).join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(digits).join(':');
  return `${day} ${time} [${level.toUpperCase()}] [${scope}] ${text}`;
}

let config: LoggerConfig = {};

/**
 * A logger for apps, with the lines that the option `logLevel` of {@link query} produces.
 *
 * @example
 * import { SdkLogger } from '@qwen/sdk';
 *
 * SdkLogger.configure({ logLevel: 'info' });
 * SdkLogger.createLogger('App').info('Started', { port: 8080 });
 */
export const SdkLogger = {
  /** Replaces the settings of all loggers. */
  configure(given: LoggerConfig): void {
    config = { ...given };
  },

  getEffectiveLevel(): LogLevel {
    const { logLevel, debug } = config;
    return logLevel ?? (debug === true ? 'debug' : 'error');
  },

  createLogger(scope: string): ScopedLogger {
    const at =
      (level: LogLevel) =>
      (message: string, ...values: unknown[]) => {
        if (!isLogged(level, SdkLogger.getEffectiveLevel())) return;
        const line = toLogLine(level, scope, [message, ...values.map(toText)].join(' '));
        const { stderr } = config;
        if (stderr === undefined) process.stderr.write(`${line}\n`);
        else stderr(line);
      };
    return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  },
} as const;

function toText(value: unknown): string {
  if (value instanceof Error) return value.stack ?? value.message;
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
