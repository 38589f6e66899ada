import type { OutputSchema } from '@qwen/agent';
import type { AgentHostOptions, SessionStart } from './agent-host-options.js';
import type { Configuration } from './config/load-config.js';
import type { SessionChoice } from './config/session-choice.js';

/** The start of a session when the app overrides nothing. */
export function startOf(configuration: Configuration): SessionStart {
  const { model, permissionMode, budget, fallbackModels, effort } = configuration;
  return { model, permissionMode, budget, fallbackModels, ...(effort !== undefined && { effort }) };
}

/** The session facts that a host needs. */
export function sessionOptions(
  configuration: Configuration,
  { kind, sessionId }: SessionChoice,
): Pick<
  AgentHostOptions,
  'sessionId' | 'resumes' | 'readRecords' | 'outputSchema' | 'compileOutput' | 'explain' | 'viewRules' | 'observer'
> {
  const { outputSchema, telemetry } = configuration;
  return {
    sessionId,
    resumes: kind === 'resume' || kind === 'fork',
    ...(outputSchema !== undefined && { outputSchema }),
    compileOutput,
    ...(telemetry !== undefined && { observer: telemetry.follow(sessionId, configuration.model) }),
    explain: async (call, mode) =>
      (await import('./explain-call.js')).explainFromConfiguration(call, mode, configuration),
    readRecords: async (sink) => (await import('./session-store.js')).openStore(configuration).read(sessionId, sink),
    viewRules: async () => (await import('./explain-call.js')).viewRules(configuration),
  };
}

async function compileOutput(schema: Readonly<Record<string, unknown>>): Promise<OutputSchema> {
  const { compileOutputSchema } = await import('./output/compile-schema.js');
  return compileOutputSchema(schema);
}
