import { commandGroup } from '../command-group.js';

export const chatCommand = commandGroup({ name: 'chat', description: 'Manage conversation history.' });
