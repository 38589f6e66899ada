import { CLAUDE_MODES, PERMISSION_MODES, SANDBOX_OPTIONS } from '@qwen/protocol';
import type { FlagSpec } from './flag-spec.js';
import { MODEL_FLAGS } from './model-flags.js';
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
    meaning: 'Answer one prompt and exit. Piped stdin is appended to it.',
    group: 'Prompt',
  },
  promptInteractive: {
    name: 'prompt-interactive',
    short: 'i',
    takes: 'text',
    value: 'TEXT',
    meaning: 'Start an interactive session with this prompt.',
    group: 'Prompt',
  },
  screenReader: {
    name: 'screen-reader',
    takes: 'nothing',
    meaning: 'Linear output for screen readers: no borders or animation.',
    group: 'Prompt',
  },
  systemPrompt: {
    name: 'system-prompt',
    takes: 'text',
    value: 'TEXT',
    meaning: 'Replace the built-in system prompt.',
    group: 'Prompt',
  },
  appendSystemPrompt: {
    name: 'append-system-prompt',
    takes: 'text',
    value: 'TEXT',
    meaning: 'Append text to the system prompt.',
    group: 'Prompt',
  },
  inputFormat: {
    name: 'input-format',
    takes: 'choice',
    choices: INPUT_FORMATS,
    meaning: 'Format of stdin. Default: text. stream-chunk-json is read like stream-json.',
    group: 'Formats',
  },
  outputFormat: {
    name: 'output-format',
    short: 'o',
    takes: 'choice',
    choices: OUTPUT_FORMATS,
    meaning: 'Format of stdout. Default: text. json prints one array at the end.',
    group: 'Formats',
  },
  jsonSchema: {
    name: 'json-schema',
    takes: 'text',
    value: 'JSON|FILE',
    meaning: 'Require answers that match this JSON Schema; fail otherwise.',
    group: 'Formats',
  },
  outputLastMessage: {
    name: 'output-last-message',
    takes: 'text',
    value: 'FILE',
    meaning: 'Also write the last answer to this file. If the prompt fails, the file is deleted.',
    group: 'Formats',
  },
  acp: {
    name: 'acp',
    aliases: ['experimental-acp'],
    takes: 'nothing',
    meaning: 'Serve an editor over the Agent Client Protocol on stdin and stdout. Same as qwen acp.',
    group: 'Formats',
  },
  dialect: {
    name: 'dialect',
    takes: 'choice',
    choices: DIALECTS,
    meaning: 'Message format of the lines. Default: openai, or sdk when an SDK starts the CLI.',
    group: 'Formats',
  },
  channel: {
    name: 'channel',
    takes: 'text',
    value: 'SDK',
    meaning: 'SDK: use the messages and control requests of the SDK.',
    group: 'Formats',
  },
  includePartialMessages: {
    name: 'include-partial-messages',
    takes: 'nothing',
    meaning: 'Print deltas of an answer as they arrive.',
    group: 'Formats',
  },
  includeHookEvents: {
    name: 'include-hook-events',
    takes: 'nothing',
    meaning: 'Print the result of each hook (line formats only).',
    group: 'Formats',
  },
  heartbeatInterval: {
    name: 'heartbeat-interval',
    takes: 'integer',
    value: 'SECONDS',
    meaning: 'Print a heartbeat at this interval (line formats only). Default: 0, only on request.',
    group: 'Formats',
  },
  strictProtocol: {
    name: 'strict-protocol',
    takes: 'nothing',
    meaning: 'Validate every output line and reject unknown members in the input.',
    group: 'Formats',
  },
  ...MODEL_FLAGS,
  approvalMode: {
    name: 'approval-mode',
    takes: 'choice',
    choices: PERMISSION_MODES,
    meaning: 'What runs without asking. Default: default, which asks before edits and other changes.',
    group: 'Permissions',
  },
  permissionMode: {
    name: 'permission-mode',
    takes: 'choice',
    choices: [...PERMISSION_MODES, ...CLAUDE_MODES, 'dontAsk'],
    meaning: 'Same as --approval-mode; also accepts the mode names of Claude Code. An SDK may set dontAsk.',
    group: 'Permissions',
  },
  yolo: {
    name: 'yolo',
    short: 'y',
    takes: 'nothing',
    meaning: 'Same as --approval-mode yolo.',
    group: 'Permissions',
  },
  allowedTools: {
    name: 'allowed-tools',
    aliases: ['allowedTools'],
    takes: 'list',
    value: 'RULE,...',
    meaning: 'Allow calls that match these rules, e.g. "Bash(git *),Edit(/src/**)".',
    group: 'Permissions',
  },
  excludeTools: {
    name: 'exclude-tools',
    aliases: ['disallowedTools', 'disallowed-tools'],
    takes: 'list',
    value: 'RULE,...',
    meaning: 'Deny calls that match these rules. A bare tool name hides the tool from the model.',
    group: 'Permissions',
  },
  sandbox: {
    name: 'sandbox',
    takes: 'choice',
    choices: SANDBOX_OPTIONS,
    alone: 'workspace-write',
    meaning: 'What commands may write. Default: the settings, else workspace-write in the terminal on Linux, else off.',
    group: 'Permissions',
  },
  permissionPromptTool: {
    name: 'permission-prompt-tool',
    takes: 'choice',
    choices: ['stdio'],
    meaning:
      'Send permission questions and questions of the model over the control channel. Always on for the SDK channel.',
    group: 'Permissions',
  },
  questionPreviews: {
    name: 'question-previews',
    takes: 'choice',
    choices: ['markdown', 'html'],
    meaning: 'Let the model add previews in this format to the options of its questions. Default: none.',
    group: 'Tools',
  },
  coreTools: {
    name: 'core-tools',
    aliases: ['tools'],
    takes: 'list',
    value: 'NAME,...',
    meaning:
      'Offer only these built-in tools, such as Read, or only calls such as Bash(git *). Default: all; empty: none.',
    group: 'Tools',
  },
  includeDirectories: {
    name: 'include-directories',
    aliases: ['add-dir'],
    takes: 'list',
    value: 'PATH,...',
    meaning: 'Add folders to the workspace.',
    group: 'Tools',
  },
  mcpConfig: {
    name: 'mcp-config',
    takes: 'repeated',
    value: 'JSON|FILE',
    meaning: 'Add MCP servers: {"mcpServers": {...}}. Repeatable.',
    group: 'Tools',
  },
  strictMcpConfig: {
    name: 'strict-mcp-config',
    takes: 'nothing',
    meaning: 'Ignore MCP servers defined in settings files.',
    group: 'Tools',
  },
  allowedMcpServerNames: {
    name: 'allowed-mcp-server-names',
    takes: 'list',
    value: 'NAME,...',
    meaning: 'Connect to these MCP servers only.',
    group: 'Tools',
  },
  skills: {
    name: 'skills',
    takes: 'list',
    value: 'NAME,...',
    meaning: 'Offer only these skills. Default: all; empty: none.',
    group: 'Tools',
  },
  pluginDir: {
    name: 'plugin-dir',
    takes: 'repeated',
    value: 'FOLDER',
    meaning: 'Load a plugin, with its hooks and MCP servers. Repeatable.',
    group: 'Tools',
  },
  disabledSlashCommands: {
    name: 'disabled-slash-commands',
    takes: 'list',
    value: 'NAME,...',
    meaning: 'Do not offer or run these slash commands.',
    group: 'Tools',
  },
  safeMode: {
    name: 'safe-mode',
    takes: 'nothing',
    meaning: 'Ignore project instructions (QWEN.md, AGENTS.md), agents and settings, except deny and ask rules.',
    group: 'Settings',
  },
  settings: {
    name: 'settings',
    takes: 'text',
    value: 'JSON|FILE',
    meaning: 'Settings that override all settings files.',
    group: 'Settings',
  },
  settingSources: {
    name: 'setting-sources',
    takes: 'list',
    value: 'user,project,local',
    meaning: 'Read these settings files only. Default: all; empty: none.',
    group: 'Settings',
  },
  trustProject: {
    name: 'trust-project',
    takes: 'nothing',
    meaning: 'Trust the settings and agents of the project for this run. See qwen trust.',
    group: 'Settings',
  },
  ...SESSION_FLAGS,
  record: {
    name: 'record',
    takes: 'text',
    value: 'FILE',
    meaning: 'Record all input and output lines with timestamps to a new file.',
    group: 'Other',
  },
  replay: {
    name: 'replay',
    takes: 'text',
    value: 'FILE',
    meaning: 'Replay a recording instead of running a session. Calls no model.',
    group: 'Other',
  },
  replayTiming: {
    name: 'replay-timing',
    takes: 'choice',
    choices: ['instant', 'real'],
    meaning: 'real: keep the recorded pauses. Default: instant.',
    group: 'Other',
  },
  debug: { name: 'debug', short: 'd', takes: 'nothing', meaning: 'Print more details to stderr.', group: 'Other' },
  help: { name: 'help', short: 'h', takes: 'nothing', meaning: 'Print this help.', group: 'Other' },
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

export type FlagKey = keyof typeof FLAGS;

export type Flags = { readonly [Key in FlagKey]?: ValueOf<(typeof FLAGS)[Key]> };
