import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { list } from '../command-text.js';

export const statsModelCommand: Command = {
  name: 'stats model',
  description: 'Shows what each model was used for.',
  kind: 'built-in',
  run: async (_call, { session }) => {
    const lines = [...(await session.usage()).models].map(
      ([name, { calls, inputTokens, outputTokens }]) =>
        `${name}: ${calls} call(s), ${inputTokens} tokens in, ${outputTokens} out`,
    );
    return says(list('Models:', lines, 'No model was called yet.'));
  },
};
