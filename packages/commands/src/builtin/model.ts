import type { Command } from '../command.js';
import { says } from '../command-outcome.js';
import type { SessionControls } from '../host/session-controls.js';
import { startingWith } from './completions.js';

export const modelCommand: Command = {
  name: 'model',
  description: 'Shows or changes the model.',
  kind: 'built-in',
  usage: '[NAME]',
  run: async ({ args }, { session }) => {
    if (args === '') return { type: 'dialog', dialog: 'model', content: await modelText(session) };
    return says(`The model is now ${await session.setModel(args)}.`);
  },
  complete: async (partial, { host }) => startingWith(partial, (await host.session.models()).names),
};

/** The list takes a request, and is only an extra: without it the answer still tells what was asked. */
async function modelText(session: SessionControls): Promise<string> {
  const { names, reason } = await session.models();
  const others = names.filter((name) => name !== session.model);
  return [
    `Model: ${session.model}`,
    ...(others.length === 0 ? [] : ['Others:', ...others.map((name) => `  ${name}`)]),
    ...(reason === undefined ? [] : [reason]),
  ].join('\n');
}
