import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

export const SCOPES = ['user', 'project', 'local'] as const;

const SCOPE = {
  type: 'string',
  short: 's',
  choices: SCOPES,
  meaning: 'Settings file. Default: user.',
} as const;

export const MCP = {
  meaning: 'Manage the MCP servers of the settings and .mcp.json, or serve the agent itself.',
  verbs: {
    add: {
      words: 'NAME COMMAND [ARG...] | NAME URL',
      completes: ['none', 'file'],
      meaning: 'Add a server: a command, or a URL (HTTP unless --transport is given).',
      flags: {
        scope: SCOPE,
        transport: {
          type: 'string',
          short: 't',
          choices: ['stdio', 'http', 'sse', 'ws', 'tcp'],
          meaning: 'Transport. Default: stdio for a command, http for a URL.',
        },
        env: {
          type: 'string',
          short: 'e',
          multiple: true,
          value: 'KEY=VALUE',
          meaning: 'Environment variable for the command. Repeatable.',
        },
        header: { type: 'string', short: 'H', multiple: true, value: '"N: V"', meaning: 'HTTP header. Repeatable.' },
        timeout: { type: 'string', value: 'MS', meaning: 'Time limit for a request and for the start.' },
        trust: { type: 'boolean', meaning: 'Run its tools without asking.' },
        lazy: { type: 'boolean', meaning: 'Start it on its first call.' },
        description: { type: 'string', value: 'TEXT', meaning: 'Description of the server.' },
        'include-tools': { type: 'string', value: 'A,B', meaning: 'Offer only these tools.' },
        'exclude-tools': { type: 'string', value: 'A,B', meaning: 'Hide these tools.' },
      },
    },
    remove: {
      words: 'NAME',
      completes: ['server'],
      meaning: 'Remove a server from a settings file.',
      flags: { scope: SCOPE },
    },
    list: { meaning: 'Connect to every server and print its status.', flags: JSON_FLAGS },
    test: {
      words: 'NAME...',
      completes: ['server'],
      meaning: 'Connect to these servers and print their tools. Exit code 1 if one is unreachable.',
      flags: JSON_FLAGS,
    },
    approve: {
      words: 'NAME...',
      completes: ['server'],
      meaning: 'Approve the current definitions of servers in .mcp.json, and the current tools of any server.',
      flags: {
        'mcp-config': {
          type: 'string',
          multiple: true,
          value: 'JSON|FILE',
          meaning: 'Approve servers of this option, as in a session with it. Repeatable.',
        },
      },
    },
    login: { words: 'NAME', completes: ['server'], meaning: 'Sign in to a server with OAuth.', flags: {} },
    logout: { words: 'NAME', completes: ['server'], meaning: 'Sign out of a server.', flags: {} },
    serve: {
      meaning: 'Serve the agent to other agents as an MCP server on stdin and stdout. Takes the flags of qwen.',
      flags: {},
    },
  },
} as const satisfies CommandSpec;
