import { commandGroup } from '../command-group.js';

export const directoryCommand = commandGroup({
  name: 'directory',
  description: 'Shows and adds folders of the workspace.',
  aliases: ['dir'],
});
