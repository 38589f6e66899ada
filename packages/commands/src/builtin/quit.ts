import { type Command, isConfirmed } from '../command.js';
import { says } from '../command-outcome.js';

export const quitCommand: Command = {
  name: 'quit',
  description: 'Ends the program.',
  aliases: ['exit'],
  kind: 'built-in',
  run: async (call, { surface, session }) => {
    if (call.confirmationOutcome === 'cancel') return says('Cancelled: the session goes on.');
    if (surface.confirmsQuit && !isConfirmed(call)) return { type: 'quit_confirmation', prompt: 'End the session?' };
    return { type: 'quit', messages: [`Session ${session.sessionId} ended.`] };
  },
};
