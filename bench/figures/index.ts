import type { Bench } from '../harness/figure.ts';

/** Loaded on demand, because each needs different builds. */
export const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  'cold-start': async () => (await import('./cold-start.ts')).coldStart,
  'sdk-cold-start': async () => (await import('./sdk-cold-start.ts')).sdkColdStart,
  'warm-query': async () => (await import('./warm-query.ts')).warmQuery,
  'control-round-trip': async () => (await import('./control-round-trip.ts')).controlRoundTrip,
  'tool-round-trip': async () => (await import('./tool-round-trip.ts')).toolRoundTrip,
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
  deltas: async () => (await import('./deltas.ts')).deltas,
  'delta-latency': async () => (await import('./delta-latency.ts')).deltaLatency,
  sessions: async () => (await import('./sessions.ts')).sessions,
  memory: async () => (await import('./memory.ts')).memory,
  'install-size': async () => (await import('./install-size.ts')).installSize,
  'first-request': async () => (await import('./first-request.ts')).firstRequest,
  load: async () => (await import('./load.ts')).load,
  hints: async () => (await import('./hints.ts')).hints,
  'chunk-lines': async () => (await import('./chunk-lines.ts')).chunkLines,
  soak: async () => (await import('./soak.ts')).soak,
  'server-log': async () => (await import('./server-log.ts')).serverLog,
  terminal: async () => (await import('./terminal.ts')).terminal,
  server: async () => (await import('./server.ts')).server,
};
