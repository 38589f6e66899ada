import { AgentError } from '@qwen/protocol';
import { toAccount } from '../config/account.js';
import type { Environment } from '../config/env.js';
import type { Configuration } from '../config/load-config.js';

export interface TelemetryWiring {
  readonly configuration: Configuration;
  readonly environment: Environment;
  /** Called when spans cannot be sent. */
  readonly onProblem: (error: AgentError) => void;
}

/** Loads nothing unless enabled. Throws `usage` for invalid variables. */
export async function withTelemetry(
  { configuration, environment, onProblem }: TelemetryWiring,
  run: (configuration: Configuration) => Promise<number>,
): Promise<number> {
  if (!isTelemetryOn(configuration.settings.telemetry.enabled, environment)) return run(configuration);
  const { openTelemetry } = await import('./open-telemetry.js');
  const account = toAccount(configuration.provider);
  const telemetry = openTelemetry({ environment, account, onProblem });
  try {
    return await run({ ...configuration, telemetry });
  } finally {
    await telemetry.close();
  }
}

/** `OTEL_` variables of other programs must not enable it, but any of them can disable it. */
export function isTelemetryOn(isOnInSettings: boolean | undefined, environment: Environment): boolean {
  const { QWEN_TELEMETRY: text, OTEL_SDK_DISABLED: isDisabled, OTEL_TRACES_EXPORTER: exporter } = environment;
  const isWanted = text === undefined ? isOnInSettings === true : readSwitch('QWEN_TELEMETRY', text);
  return isWanted && isDisabled?.toLowerCase() !== 'true' && exporter !== 'none';
}

export function readSwitch(name: string, text: string): boolean {
  if (text === '1' || text === 'true') return true;
  if (text === '0' || text === 'false') return false;
  throw new AgentError('usage', `${name} needs 1 or 0, not "${text}"`);
}
