import { commandGroup } from '../command-group.js';

export const memoryCommand = commandGroup({
  name: 'memory',
  description: 'Shows and changes what the model keeps in mind.',
});
