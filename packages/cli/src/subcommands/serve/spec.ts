import { SANDBOX_OPTIONS } from '@qwen/protocol';
import type { CommandSpec, WordFlags } from '../words/command-spec.js';
import { JSON_FLAGS } from '../words/json-flags.js';

const STORE_FLAG = {
  type: 'string',
  value: 'FOLDER',
  completes: 'folder',
  meaning: 'Folder of the store. Default: ~/.qwen/server.',
} as const;

const TOKENS_FLAG = {
  type: 'string',
  value: 'FILE',
  completes: 'file',
  meaning: 'File with the tokens of users. Default: ~/.qwen/server/tokens.json.',
} as const;

export const SERVE_FLAGS = {
  port: {
    type: 'string',
    short: 'p',
    value: 'N',
    meaning: 'Port to listen on; 0: any free port. Default: PORT, otherwise 3000.',
  },
  host: {
    type: 'string',
    value: 'ADDRESS',
    meaning: 'Address to listen on. Default: 127.0.0.1. Any address other than loopback needs a token.',
  },
  token: {
    type: 'string',
    value: 'TOKEN',
    meaning: 'Token that clients must send. Default: the one in ~/.qwen/server/token, created by the first start.',
  },
  tokens: TOKENS_FLAG,
  'audit-log': {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    meaning: 'Append each answer to a permission question to this file. Default: audit.jsonl in the folder of --store.',
  },
  'require-auth': {
    type: 'boolean',
    meaning: 'Require the token on every route. Always on for addresses other than loopback.',
  },
  'tls-cert': {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    meaning: 'Serve TLS with this PEM certificate, followed by its intermediate certificates.',
  },
  'tls-key': {
    type: 'string',
    value: 'FILE',
    completes: 'file',
    meaning: 'Private key of the certificate, in PEM. The file must be readable only by its owner.',
  },
  store: {
    type: 'string',
    value: 'LOCATION',
    meaning: 'A folder, redis://… for several servers, or memory: to store nothing. Default: ~/.qwen/server.',
  },
  role: {
    type: 'string',
    choices: ['all', 'front', 'worker'],
    meaning: 'With Redis: front answers clients, worker runs turns, all does both. Default: all.',
  },
  workspace: {
    type: 'string',
    value: 'FOLDER',
    completes: 'folder',
    meaning: 'Workspace of sessions that do not set one. Default: the current folder.',
  },
  'workspace-root': {
    type: 'string',
    multiple: true,
    value: 'DIR',
    completes: 'folder',
    meaning: 'Allow only this folder and its subfolders as workspaces. Repeatable. Default: any project folder.',
  },
  'approval-mode': {
    type: 'string',
    choices: ['default', 'plan', 'auto-edit', 'yolo'],
    meaning: 'Approval mode of sessions that do not set one. Default: default.',
  },
  sandbox: {
    type: 'string',
    choices: SANDBOX_OPTIONS,
    meaning: 'Sandbox of all sessions; a session can only select a stricter one. Default: from the settings.',
  },
  'allow-looser-sandbox': {
    type: 'boolean',
    meaning: 'Let sessions select a looser sandbox than --sandbox and the settings.',
  },
  'approval-timeout': {
    type: 'string',
    value: 'S',
    meaning: 'Seconds to wait for the answer to a permission question. Default: 60.',
  },
  'max-sessions': {
    type: 'string',
    value: 'N',
    meaning: 'Maximum number of agents that run at the same time. Further turns wait. Default: 32.',
  },
  'idle-timeout': { type: 'string', value: 'S', meaning: 'Seconds after which an idle agent exits. Default: 60.' },
  'allow-host': {
    type: 'string',
    multiple: true,
    value: 'NAME',
    meaning: 'Also accept requests for this host and port, e.g. qwen.example:443. Repeatable.',
  },
  'allow-origin': {
    type: 'string',
    multiple: true,
    value: 'URL',
    meaning: 'Also accept requests from pages of this origin, e.g. https://app.example. Repeatable.',
  },
  'retain-event-days': {
    type: 'string',
    value: 'N',
    meaning: 'Delete events older than this number of days. Default: keep all.',
  },
  'retain-events': { type: 'string', value: 'N', meaning: 'Keep at most this number of events per session.' },
  'retain-event-mib': { type: 'string', value: 'N', meaning: 'Keep at most this size of events per session, in MiB.' },
  'retain-session-days': {
    type: 'string',
    value: 'N',
    meaning: 'Delete sessions that have been idle for this number of days. Default: keep all.',
  },
  'retain-sessions': {
    type: 'string',
    value: 'N',
    meaning: 'Keep only this number of sessions, the most recently active ones.',
  },
  metrics: {
    type: 'boolean',
    meaning: 'Serve /metrics in the format of Prometheus, to tokens with the scope metrics.',
  },
  'metrics-port': {
    type: 'string',
    value: 'N',
    meaning: 'Also serve /metrics on this port, at the address of --host, without a token.',
  },
  'log-format': {
    type: 'string',
    choices: ['text', 'json'],
    meaning: 'Format of the log on stderr. Default: text on a terminal, otherwise json.',
  },
  'log-level': {
    type: 'string',
    choices: ['debug', 'info', 'warn', 'error'],
    meaning: 'Minimum level to log. Default: info.',
  },
} as const satisfies WordFlags;

export const SERVE = {
  meaning: 'Serve sessions over HTTP, with a web page.',
  own: { meaning: 'Serve.', flags: SERVE_FLAGS },
  verbs: {
    backup: {
      words: 'FOLDER',
      completes: ['folder'],
      meaning: 'Copy sessions, events and conversations to a new folder. The server may be running.',
      flags: { store: STORE_FLAG },
    },
    restore: {
      words: 'FOLDER',
      completes: ['folder'],
      meaning: 'Verify a backup and restore it. The server must be stopped.',
      flags: {
        store: STORE_FLAG,
        replace: {
          type: 'boolean',
          meaning: 'Replace a store that has sessions. Its files are kept under other names.',
        },
      },
    },
    migrate: {
      meaning: 'Upgrade the store now instead of at the next start. The server must be stopped.',
      flags: { store: STORE_FLAG },
    },
    token: {
      words: 'create NAME | list | revoke ID',
      meaning: 'Create, list or revoke tokens for users, who see only their own sessions.',
      flags: {
        scope: {
          type: 'string',
          multiple: true,
          value: 'SCOPE',
          meaning: 'read, write, approve, metrics or admin. Repeatable. Default: read, write and approve.',
        },
        'expires-in': { type: 'string', value: 'TIME', meaning: 'Such as 12h or 90d. Default: never.' },
        'requests-per-minute': { type: 'string', value: 'N', meaning: 'Maximum requests per minute.' },
        'concurrent-turns': { type: 'string', value: 'N', meaning: 'Maximum turns that run or wait.' },
        'tokens-per-day': { type: 'string', value: 'N', meaning: 'Maximum model tokens per day, in UTC.' },
        'usd-per-day': {
          type: 'string',
          value: 'N',
          meaning: 'Maximum cost per day, in UTC, of models with known prices.',
        },
        tokens: TOKENS_FLAG,
        ...JSON_FLAGS,
      },
    },
  },
  notes: [
    'Flags are visible in process lists: prefer QWEN_SERVER_TOKEN to --token, and QWEN_SERVER_STORE for a location with a password.',
    'A worker listens only with --port, for /health and /ready.',
  ].join('\n'),
} as const satisfies CommandSpec;
