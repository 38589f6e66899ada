import { type HintCommands, HintEngine, type HintFiles, type HintQuery } from '@qwen/commands';
import { AgentError } from '@qwen/protocol';
import type { PageAnswer } from '@qwen/protocol/server';

export interface HintSources {
  readonly commands: HintCommands;
  readonly files: HintFiles;
}

/**
 * Answers one question about what could be meant. Errors: `invalid_payload` with what the sources say; `aborted` when the
 * signal fires first.
 */
export function askHints(
  query: HintQuery,
  { commands, files }: HintSources,
  signal: AbortSignal,
): Promise<PageAnswer<'/api/hints'>> {
  return new Promise((resolve, reject) => {
    const engine = new HintEngine({
      commands,
      files,
      // Each question comes with a request of its own: there is nothing to gather.
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
      reject(new AgentError('aborted', 'The client went away.'));
    };
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    engine.request(query);
  });
}
