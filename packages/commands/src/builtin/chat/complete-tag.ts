import type { Command } from '../../command.js';
import { timeText } from '../command-text.js';
import { startingWith } from '../completions.js';

/** Tags of saved conversations. */
export const completeTag: NonNullable<Command['complete']> = async (partial, { host }) =>
  startingWith(
    partial,
    (await host.checkpoints.list()).map(({ tag, savedAtMs }) => ({ value: tag, description: timeText(savedAtMs) })),
  );
