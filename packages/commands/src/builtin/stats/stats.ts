import type { Command } from '../../command.js';
import { says } from '../../command-outcome.js';
import { unknownSubcommand } from '../command-group.js';

export const statsCommand: Command = {
  name: 'stats',
  description: 'Shows what this session has used.',
  aliases: ['usage'],
  kind: 'built-in',
  run: async ({ args }, { session }) => {
    if (args !== '') return unknownSubcommand('stats', args);
    const { models, turns } = await session.usage();
    const { totalTokens, windowTokens, isEstimated } = await session.contextUsage();
    const spent = [...models.values()];
    const total = (member: 'calls' | 'inputTokens' | 'outputTokens') =>
      spent.reduce((sum, one) => sum + one[member], 0);
    return says(
      [
        `Session: ${session.sessionId}`,
        `Turns: ${turns}`,
        `Model calls: ${total('calls')}`,
        `Tokens: ${total('inputTokens')} in, ${total('outputTokens')} out`,
        `Context: ${isEstimated ? 'about ' : ''}${totalTokens}${windowTokens === undefined ? '' : ` of ${windowTokens}`} tokens`,
      ].join('\n'),
    );
  },
};
