import type { OutputSchema } from '@qwen/agent';
import type { AgentHostOptions, SessionStart } from './agent-host.js';
import type { Configuration } from './config/load-config.js';
import type { SessionChoice } from './config/session-choice.js';

/** How a session begins when the app wishes nothing else. */
export function startOf(configuration: Configuration): SessionStart {
  const { model, permissionMode, budget, fallbackModels, effort } = configuration;
  return { model, permissionMode, budget, fallbackModels, ...(effort !== undefined && { effort }) };
}

/** What a host must know of the session itself. */
export function sessionOptions(
  { outputSchema }: Configuration,
  { kind, sessionId }: SessionChoice,
): Pick<AgentHostOptions, 'sessionId' | 'resumes' | 'outputSchema' | 'compileOutput'> {
  return {
    sessionId,
    resumes: kind === 'resume' || kind === 'fork',
    ...(outputSchema !== undefined && { outputSchema }),
    compileOutput,
  };
}

async function compileOutput(schema: Readonly<Record<string, unknown>>): Promise<OutputSchema> {
  const { compileOutputSchema } = await import('./output/compile-schema.js');
  return compileOutputSchema(schema);
}
