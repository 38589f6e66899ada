import { PROVIDER_TYPES } from '@qwen/protocol';
import type { CommandSpec } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

const PROVIDER = { type: 'string', short: 'p', value: 'NAME', meaning: 'Provider, such as openrouter.' } as const;

export const AUTH = {
  meaning: 'Store the keys of model providers. Variables such as OPENAI_API_KEY take precedence over stored keys.',
  verbs: {
    login: {
      meaning: 'Read a key from stdin or, at a terminal, without echo; check it with one free request and store it.',
      flags: {
        provider: PROVIDER,
        'base-url': { type: 'string', value: 'URL', meaning: 'Describe another endpoint under this name.' },
        type: { type: 'string', choices: PROVIDER_TYPES, meaning: 'Protocol of that endpoint. Default: openai.' },
        model: {
          type: 'string',
          value: 'NAME',
          completes: 'model',
          meaning:
            'Default model of the provider. If omitted: the only one that a new endpoint lists, or a built-in one.',
        },
        default: { type: 'boolean', meaning: 'Use this provider from now on.' },
        store: { type: 'string', choices: ['keychain', 'file'], meaning: 'Default: the keychain, if there is one.' },
        'no-check': { type: 'boolean', meaning: 'Store the key without a request.' },
      },
    },
    logout: {
      meaning: 'Remove stored keys. The provider still accepts them: revoke them there.',
      flags: { provider: PROVIDER, all: { type: 'boolean', meaning: 'Remove the keys of all providers.' } },
    },
    status: {
      meaning: 'Print which key is used and where it comes from, never the key. Exit code 1 without a provider.',
      flags: JSON_FLAGS,
    },
  },
} as const satisfies CommandSpec;
