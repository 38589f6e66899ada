import type { Command } from '../command.js';
import { says } from '../command-outcome.js';

const CORGI = String.raw`
   /\_/\
  ( o.o )___
   \_Y_/    \
   (_|_|--|_|`;

/** Its mode lasts as long as the commands that it was made with: a session. */
export function corgiCommand(): Command {
  let isOn = false;
  return {
    name: 'corgi',
    description: 'Toggles corgi mode.',
    kind: 'built-in',
    run: async () => {
      isOn = !isOn;
      return says(isOn ? `Corgi mode is on.${CORGI}` : 'Corgi mode is off.');
    },
  };
}
