import { EFFORTS, PERMISSION_MODES } from '@qwen/protocol';
import type { FlagSpec } from './flag-spec.js';
import { SESSION_FLAGS } from './session-flags.js';

const INPUT_FORMATS = ['text', 'stream-json', 'stream-chunk-json'] as const;
const DIALECTS = ['openai', 'sdk'] as const;
const OUTPUT_FORMATS = ['text', 'json', 'stream-json', 'stream-chunk-json'] as const;

/** Every effective flag. The parser, the types and `--help` use this table. */
export const FLAGS = {
  prompt: {
    name: 'prompt',
    short: 'p',
    aliases: ['print'],
    takes: 'optional',
    value: 'TEXT',
    meaning: 'Answer one prompt and exit. Text piped to stdin is added to it.',
    group: 'Prompt',
  },
  promptInteractive: {
    name: 'prompt-interactive',
    short: 'i',
    takes: 'text',
    value: 'TEXT',
    meaning: 'Begin with this prompt in the terminal, and stay there.',
    group: 'Prompt',
  },
  screenReader: {
    name: 'screen-reader',
    takes: 'nothing',
    meaning: 'In the terminal: everything in words, line by line, without frames and moving signs.',
    group: 'Prompt',
  },
  systemPrompt: {
    name: 'system-prompt',
    takes: 'text',
    value: 'TEXT',
    meaning: 'Use this system prompt in place of the built-in one.',
    group: 'Prompt',
  },
  appendSystemPrompt: {
    name: 'append-system-prompt',
    takes: 'text',
    value: 'TEXT',
    meaning: 'Add this to the system prompt.',
    group: 'Prompt',
  },
  inputFormat: {
    name: 'input-format',
    takes: 'choice',
    choices: INPUT_FORMATS,
    meaning: 'How stdin is read. Default text; stream-chunk-json is read like stream-json.',
    group: 'Formats',
  },
  outputFormat: {
    name: 'output-format',
    short: 'o',
    takes: 'choice',
    choices: OUTPUT_FORMATS,
    meaning: 'How stdout is written. Default text; json prints one array at the end.',
    group: 'Formats',
  },
  jsonSchema: {
    name: 'json-schema',
    takes: 'text',
    value: 'JSON|FILE',
    meaning: 'Answer with JSON that fits this schema, or fail.',
    group: 'Formats',
  },
  dialect: {
    name: 'dialect',
    takes: 'choice',
    choices: DIALECTS,
    meaning: 'Which lines are written. Default openai; sdk with the SDK channel or an SDK that says so.',
    group: 'Formats',
  },
  channel: {
    name: 'channel',
    takes: 'text',
    value: 'SDK',
    meaning: 'SDK: speak the messages and control requests of the SDK.',
    group: 'Formats',
  },
  includePartialMessages: {
    name: 'include-partial-messages',
    takes: 'nothing',
    meaning: 'Also print the pieces of an answer as they arrive.',
    group: 'Formats',
  },
  includeHookEvents: {
    name: 'include-hook-events',
    takes: 'nothing',
    meaning: 'Also print how each hook came out, where lines are printed.',
    group: 'Formats',
  },
  heartbeatInterval: {
    name: 'heartbeat-interval',
    takes: 'integer',
    value: 'SECONDS',
    meaning: 'Print a sign of life every so often, where lines are printed. Default 0: only when asked.',
    group: 'Formats',
  },
  strictProtocol: {
    name: 'strict-protocol',
    takes: 'nothing',
    meaning: 'Check every line that is written, and refuse members that nobody knows in what is read.',
    group: 'Formats',
  },
  model: { name: 'model', short: 'm', takes: 'text', value: 'NAME', meaning: 'The model to talk to.', group: 'Model' },
  fallbackModel: {
    name: 'fallback-model',
    takes: 'list',
    value: 'NAME,...',
    meaning: 'Models that answer, in order, when the chosen one fails.',
    group: 'Model',
  },
  effort: {
    name: 'effort',
    takes: 'choice',
    choices: EFFORTS,
    meaning: 'How much the model shall think, where it can be told. Default: as the provider likes.',
    group: 'Model',
  },
  authType: {
    name: 'auth-type',
    takes: 'choice',
    choices: ['openai', 'gemini', 'vertex-ai'],
    meaning: 'Which provider to use when the environment names several.',
    group: 'Model',
  },
  baseUrl: {
    name: 'openai-base-url',
    aliases: ['base-url'],
    takes: 'text',
    value: 'URL',
    meaning: 'Address of an OpenAI-compatible endpoint. One on this machine needs no key.',
    group: 'Model',
  },
  modelHeaders: {
    name: 'model-header',
    takes: 'repeated',
    value: '"NAME: VALUE"',
    meaning: 'Send this header to the endpoint; secret ones belong in QWEN_MODEL_HEADERS. May be repeated.',
    group: 'Model',
  },
  approvalMode: {
    name: 'approval-mode',
    takes: 'choice',
    choices: PERMISSION_MODES,
    meaning: 'How much may happen unasked. Default: default, which asks.',
    group: 'Permissions',
  },
  permissionMode: {
    name: 'permission-mode',
    takes: 'choice',
    choices: [...PERMISSION_MODES, 'acceptEdits', 'bypassPermissions'],
    meaning: 'The same, with the words of Claude Code too.',
    group: 'Permissions',
  },
  yolo: {
    name: 'yolo',
    short: 'y',
    takes: 'nothing',
    meaning: 'Short for --approval-mode yolo.',
    group: 'Permissions',
  },
  allowedTools: {
    name: 'allowed-tools',
    aliases: ['allowedTools'],
    takes: 'list',
    value: 'RULE,...',
    meaning: 'Run these without asking, e.g. "Bash(git *),Edit(/src/**)".',
    group: 'Permissions',
  },
  excludeTools: {
    name: 'exclude-tools',
    aliases: ['disallowedTools', 'disallowed-tools'],
    takes: 'list',
    value: 'RULE,...',
    meaning: 'Never run these. A tool named without brackets is not offered to the model.',
    group: 'Permissions',
  },
  permissionPromptTool: {
    name: 'permission-prompt-tool',
    takes: 'choice',
    choices: ['stdio'],
    meaning: 'Ask over the control channel; it is what the SDK channel does anyway.',
    group: 'Permissions',
  },
  coreTools: {
    name: 'core-tools',
    aliases: ['tools'],
    takes: 'list',
    value: 'NAME,...',
    meaning: 'Offer only these built-in tools. Empty: none; default: all.',
    group: 'Tools',
  },
  includeDirectories: {
    name: 'include-directories',
    aliases: ['add-dir'],
    takes: 'list',
    value: 'PATH,...',
    meaning: 'More folders that count as the workspace.',
    group: 'Tools',
  },
  mcpConfig: {
    name: 'mcp-config',
    takes: 'repeated',
    value: 'JSON|FILE',
    meaning: 'MCP servers as {"mcpServers": {...}}. May be repeated.',
    group: 'Tools',
  },
  strictMcpConfig: {
    name: 'strict-mcp-config',
    takes: 'nothing',
    meaning: 'Leave out the MCP servers of settings files.',
    group: 'Tools',
  },
  allowedMcpServerNames: {
    name: 'allowed-mcp-server-names',
    takes: 'list',
    value: 'NAME,...',
    meaning: 'Connect to no other MCP servers than these.',
    group: 'Tools',
  },
  safeMode: {
    name: 'safe-mode',
    takes: 'nothing',
    meaning:
      'Leave out what the project brings: instructions (QWEN.md, AGENTS.md), agents, settings but for its denials.',
    group: 'Settings',
  },
  settings: {
    name: 'settings',
    takes: 'text',
    value: 'JSON|FILE',
    meaning: 'More settings, above those of all files.',
    group: 'Settings',
  },
  settingSources: {
    name: 'setting-sources',
    takes: 'list',
    value: 'user,project,local',
    meaning: 'Read only these settings files. Default: all; empty: none.',
    group: 'Settings',
  },
  trustProject: {
    name: 'trust-project',
    takes: 'nothing',
    meaning: 'Let the settings and agents of the project count in this run; see qwen trust.',
    group: 'Settings',
  },
  ...SESSION_FLAGS,
  contextWindow: {
    name: 'context-window',
    takes: 'integer',
    value: 'N',
    meaning: 'Tokens that the model takes; past four fifths the conversation is summed up.',
    group: 'Model',
  },
  record: {
    name: 'record',
    takes: 'text',
    value: 'FILE',
    meaning: 'Write all lines of both directions with their times to a new file.',
    group: 'Other',
  },
  replay: {
    name: 'replay',
    takes: 'text',
    value: 'FILE',
    meaning: 'Print what such a file recorded, in place of a session; no model is asked.',
    group: 'Other',
  },
  replayTiming: {
    name: 'replay-timing',
    takes: 'choice',
    choices: ['instant', 'real'],
    meaning: 'real: with the pauses of the recording. Default instant.',
    group: 'Other',
  },
  debug: { name: 'debug', short: 'd', takes: 'nothing', meaning: 'Say more on stderr.', group: 'Other' },
  help: { name: 'help', short: 'h', takes: 'nothing', meaning: 'Print this text.', group: 'Other' },
  version: { name: 'version', short: 'v', takes: 'nothing', meaning: 'Print the version.', group: 'Other' },
} as const satisfies Record<string, FlagSpec>;

type ValueOf<Spec extends FlagSpec> = Spec['takes'] extends 'nothing'
  ? boolean
  : Spec['takes'] extends 'integer'
    ? number
    : Spec['takes'] extends 'list' | 'repeated'
      ? readonly string[]
      : Spec extends { readonly choices: readonly (infer Choice)[] }
        ? Choice
        : string;

/** The name of a flag inside the program. */
export type FlagKey = keyof typeof FLAGS;

export type Flags = { readonly [Key in FlagKey]?: ValueOf<(typeof FLAGS)[Key]> };
