import { createRequire } from 'node:module';
import type * as api from '@opentelemetry/api';

/** The API of OpenTelemetry, as far as it is there. */
export type OpenTelemetry = typeof api;

/** Where every copy of the API keeps what the app has registered; the name is part of the API's own contract. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/**
 * The API, where the app traces: it has registered a provider of tracers, and the package can be found from here. Otherwise
 * undefined, and nothing was loaded. The look-up costs one symbol.
 */
export function findOpenTelemetry(): OpenTelemetry | undefined {
  const registered: unknown = Reflect.get(globalThis, REGISTERED);
  if (typeof registered !== 'object' || registered === null || !('trace' in registered)) return undefined;
  try {
    const found: OpenTelemetry = createRequire(import.meta.url)('@opentelemetry/api');
    return found;
  } catch {
    // It traces without us: spans are no reason to fail.
    return undefined;
  }
}
