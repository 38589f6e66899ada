import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

export const PLUGINS = {
  meaning: 'Manage the plugins of your settings: folders with commands, skills, subagents, hooks and MCP servers.',
  verbs: {
    add: {
      words: 'FOLDER',
      completes: ['folder'],
      meaning: 'Add a plugin, or approve a changed one: its hooks and MCP servers, as printed, will run.',
      flags: {},
    },
    remove: {
      words: 'NAME|FOLDER',
      completes: ['folder'],
      meaning: 'Remove a plugin and its approval. The folder stays.',
      flags: {},
    },
    list: { meaning: 'Print the plugins, their parts and problems.', flags: JSON_FLAGS },
  },
} as const satisfies CommandSpec;
