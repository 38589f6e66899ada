import type { Command } from '../command.js';
import { says } from '../command-outcome.js';

export const compressCommand: Command = {
  name: 'compress',
  description: 'Compresses the context by replacing it with a summary.',
  aliases: ['summarize'],
  kind: 'built-in',
  run: async (_call, { session }) => {
    const result = await session.compact();
    if (result === undefined) return says('There is nothing to compress.');
    return says(`Compressed the context from ${result.tokensBefore} to ${result.tokensAfter} tokens.`);
  },
};
