import { type HintCommands, HintEngine, type HintFiles, type HintQuery } from '@qwen/commands';
import { AgentError } from '@qwen/protocol';
import type { PageResponse } from '@qwen/protocol/server';

export interface HintSources {
  readonly commands: HintCommands;
  readonly files: HintFiles;
}

/** Errors: `invalid_payload` with the message of the source; `aborted` by the signal. */
export function askHints(
  query: HintQuery,
  { commands, files }: HintSources,
  signal: AbortSignal,
): Promise<PageResponse<'/api/hints'>> {
  return new Promise((resolve, reject) => {
    const engine = new HintEngine({
      commands,
      files,
      // No debouncing: each request is one query.
      clock: {
        startTimer: (_ms, callback) => {
          const immediate = setImmediate(callback);
          return () => clearImmediate(immediate);
        },
      },
      onAnswer: (answer) => {
        if (answer.status === 'loading') return;
        signal.removeEventListener('abort', giveUp);
        engine.close();
        if (answer.status === 'error') return reject(new AgentError('invalid_payload', answer.message));
        const suggestions = answer.suggestions.map(({ label, value, description }) => ({ label, value, description }));
        resolve({ suggestions, isPerfectMatch: answer.isPerfectMatch });
      },
    });
    const giveUp = () => {
      engine.close();
      reject(new AgentError('aborted', 'The client disconnected.'));
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    engine.request(query);
  });
}
