import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

export const SCOPES = ['user', 'project', 'local'] as const;

const SCOPE = {
  type: 'string',
  short: 's',
  choices: SCOPES,
  meaning: 'Which settings file. Default user.',
} as const;

/** `qwen mcp` for help, completion and parsing. */
export const MCP = {
  meaning: 'The MCP servers of the settings and of .mcp.json.',
  verbs: {
    add: {
      words: 'NAME COMMAND [ARG...] | NAME URL',
      completes: ['none', 'file'],
      meaning: 'Add a server: a program, or a URL (http unless --transport says otherwise).',
      flags: {
        scope: SCOPE,
        transport: {
          type: 'string',
          short: 't',
          choices: ['stdio', 'http', 'sse', 'ws', 'tcp'],
          meaning: 'How it is reached.',
        },
        env: { type: 'string', short: 'e', multiple: true, value: 'KEY=VALUE', meaning: 'Variable for the program.' },
        header: { type: 'string', short: 'H', multiple: true, value: '"N: V"', meaning: 'Header for the URL.' },
        timeout: { type: 'string', value: 'MS', meaning: 'For one request, and for the start.' },
        trust: { type: 'boolean', meaning: 'Its tools run without a question.' },
        lazy: { type: 'boolean', meaning: 'Start it with the first call.' },
        description: { type: 'string', value: 'TEXT', meaning: 'What it is for.' },
        'include-tools': { type: 'string', value: 'A,B', meaning: 'Offer only these tools.' },
        'exclude-tools': { type: 'string', value: 'A,B', meaning: 'Offer all tools but these.' },
      },
    },
    remove: {
      words: 'NAME',
      completes: ['server'],
      meaning: 'Take a server out of a settings file.',
      flags: { scope: SCOPE },
    },
    list: { meaning: 'Connect to every server and print how that went.', flags: JSON_FLAGS },
    test: {
      words: 'NAME...',
      completes: ['server'],
      meaning: 'Connect to these servers and print their tools; exit code 1 when one cannot be reached.',
      flags: JSON_FLAGS,
    },
    approve: {
      words: 'NAME...',
      completes: ['server'],
      meaning: "Let servers of this project's .mcp.json start, as they are defined now.",
      flags: {},
    },
    login: { words: 'NAME', completes: ['server'], meaning: 'Sign in to a server by OAuth.', flags: {} },
    logout: { words: 'NAME', completes: ['server'], meaning: 'Forget a sign-in.', flags: {} },
  },
} as const satisfies CommandSpec;
