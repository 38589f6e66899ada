import { commandGroup } from '../command-group.js';

export const agentsCommand = commandGroup({ name: 'agents', description: 'Lists and manages subagents.' });
