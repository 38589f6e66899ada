import type { FileRewind, TaskView } from '@qwen/agent';
import type { SessionRecord } from '@qwen/protocol';
import {
  builtinCommands,
  type CommandHost,
  type CommandInvocation,
  type CommandOutcome,
  CommandRegistry,
  type CommandSource,
  parseCommandLine,
  runCommand,
} from '../src/index.js';

/** Calls to the host, e.g. `clear` or `setModel qwen-max`. */
export type Calls = string[];

export interface FakeHost {
  readonly host: CommandHost;
  readonly calls: Calls;
  /** Files of the workspace. */
  readonly files: Map<string, string>;
  readonly checkpoints: Map<string, readonly SessionRecord[]>;
}

const AT = '2026-01-02T03:04:05.000Z';
const AT_MS = Date.parse(AT);

/** A user message, an answer with a tool call, its result, and the final answer. */
export const CONVERSATION: readonly SessionRecord[] = [
  { type: 'user', uuid: 'u1', at: AT, content: 'What is <here>?' },
  {
    type: 'assistant',
    uuid: 'a1',
    at: AT,
    model: 'm',
    stop_reason: 'tool_use',
    usage: { input_tokens: 1, output_tokens: 1 },
    content: [
      { type: 'thinking', thinking: 'Let me look.' },
      { type: 'tool_use', id: 'c1', name: 'list_directory', input: { path: '.' } },
    ],
  },
  {
    type: 'tool_result',
    uuid: 't1',
    at: AT,
    tool_use_id: 'c1',
    tool_name: 'list_directory',
    content: 'a.ts',
    is_error: false,
  },
  {
    type: 'assistant',
    uuid: 'a2',
    at: AT,
    model: 'm',
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
    content: [{ type: 'text', text: 'This:\n```ts\nconst a = 1;\n```\nDone.' }],
  },
];

const REWIND: FileRewind = {
  files: [
    { path: '/work/a.txt', action: 'restore', changedSince: true },
    { path: '/work/b.txt', action: 'delete' },
    { path: '/work/c.txt', action: 'recreate', refused: 'It is a link now.' },
  ],
  insertions: 3,
  deletions: 4,
};

const TASK: TaskView = {
  taskId: 'task_1',
  callId: 'c1',
  command: 'npm run\n dev',
  status: 'running',
  durationMs: 61_000,
  outputBytes: 12,
};

/** A host of plain values that records calls. */
export function fakeHost(changes: Partial<CommandHost> = {}): FakeHost {
  const calls: Calls = [];
  const files = new Map<string, string>();
  const checkpoints = new Map<string, readonly SessionRecord[]>();
  const note = (doing: string) => void calls.push(doing);
  const host: CommandHost = {
    facts: {
      version: '1.2.3',
      homepage: 'https://example.com/qwen#readme',
      issuesUrl: 'https://example.com/qwen/issues',
      cwd: '/work',
      platform: 'linux x64, Node.js 24.0.0',
      account: { provider: 'openai', host: 'api.example.com', credentialSource: 'OPENAI_API_KEY' },
      settingsFiles: ['/home/me/.qwen/settings.json'],
    },
    surface: { showsDialogs: false, confirmsQuit: false },
    session: {
      sessionId: 's-1',
      model: 'qwen-plus',
      setModel: async (model) => {
        note(`setModel ${model}`);
        return model ?? 'qwen-plus';
      },
      models: async () => ({ names: ['qwen-plus', 'qwen-max'] }),
      clear: async () => note('clear'),
      compact: async () => ({ tokensBefore: 900, tokensAfter: 100 }),
      records: async () => CONVERSATION,
      restore: async (records) => note(`restore ${records.length}`),
      contextUsage: async () => ({ totalTokens: 1200, windowTokens: 8000, isEstimated: true, parts: [] }),
      usage: async () => ({
        turns: 2,
        models: new Map([
          ['qwen-plus', { calls: 3, inputTokens: 40, outputTokens: 5, cachedTokens: 8, reasoningTokens: 1 }],
        ]),
      }),
    },
    checkpoints: {
      list: async () => [...checkpoints.keys()].map((tag) => ({ tag, savedAtMs: AT_MS })),
      save: async (tag, records) => void checkpoints.set(tag, records),
      load: async (tag) => checkpoints.get(tag),
      delete: async (tag) => checkpoints.delete(tag),
    },
    rewind: {
      prompts: async () => [
        { messageId: 'm-1', text: 'First\nprompt', sentAtMs: AT_MS },
        { messageId: 'm-2', text: 'Second prompt', sentAtMs: AT_MS },
      ],
      preview: async () => REWIND,
      rewind: async (messageId, part) => {
        note(`rewind ${part} ${messageId}`);
        return part === 'conversation' ? {} : { files: REWIND };
      },
    },
    tasks: {
      list: () => [TASK, { ...TASK, taskId: 'task_2', status: 'failed', note: 'exit code 1' }],
      output: (taskId) => `output of ${taskId}\n`,
      stop: async (taskId) => ({ ...TASK, taskId, status: 'stopped' }),
    },
    storedSessions: {
      list: async () => [
        { sessionId: 's-1', modifiedAtMs: AT_MS },
        { sessionId: 's-0', modifiedAtMs: AT_MS, firstPrompt: 'Fix\nit' },
      ],
      load: async () => CONVERSATION,
    },
    permissions: {
      mode: 'default',
      setMode: (mode) => note(`setMode ${mode}`),
      rules: async () => [
        { behavior: 'allow', rule: 'Bash(git log:*)' },
        { behavior: 'deny', rule: 'Read(.env)' },
      ],
    },
    tools: {
      list: async () => [
        { name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object' } },
        { name: 'mcp__maps__find', description: 'Finds.', server: 'maps' },
      ],
    },
    mcp: {
      list: async () => [
        {
          name: 'maps',
          status: 'connected',
          needsSignIn: false,
          tools: [{ name: 'find', description: 'Finds.', inputSchema: { type: 'object' } }],
          prompts: ['mcp__maps__route'],
        },
        { name: 'mail', status: 'disconnected', needsSignIn: true, tools: [], prompts: [] },
      ],
      signIn: async (name) => note(`signIn ${name}`),
      reconnect: async (name) => {
        if (name === 'mail') throw new Error('refused');
      },
    },
    agents: { list: async () => [{ name: 'reviewer', description: 'Reviews.', source: 'project' }] },
    hooks: { list: async () => [{ event: 'PreToolUse', matcher: 'Bash', action: './guard.sh' }] },
    folders: {
      list: () => ['/work', '/more'],
      add: async (path) => {
        if (path === 'none') throw new Error('No such folder.');
        return `/work/${path}`;
      },
    },
    memory: {
      list: async () => [{ path: '/work/QWEN.md', text: 'Be brief.\n' }],
      add: async (entry, scope) => {
        note(`remember ${scope} ${entry}`);
        return scope === 'user' ? '/home/me/.qwen/QWEN.md' : '/work/QWEN.md';
      },
      refresh: async () => note('refresh'),
    },
    files: {
      read: async (path) => files.get(path),
      write: async (path, text) => {
        files.set(path, text);
        return `/work/${path}`;
      },
    },
    clipboard: {
      copy: async (text) => {
        note(`copy ${text}`);
        return 'clipboard';
      },
    },
    shell: {
      decide: async () => ({ behavior: 'ask', reason: 'Nothing allows it.' }),
      allow: async (command) => note(`allow ${command}`),
      run: async (command) => {
        note(`run ${command}`);
        return { output: `<${command}>` };
      },
    },
    references: {
      read: async (path) => ({ content: [{ type: 'text', text: `[${path}]` }], warnings: [] }),
    },
    ...changes,
  };
  return { host, calls, files, checkpoints };
}

/** Runs a typed line. Throws if it is not a command. */
export async function typeIn(
  text: string,
  { host }: Pick<FakeHost, 'host'>,
  more: Partial<CommandInvocation> & { readonly sources?: readonly CommandSource[] } = {},
): Promise<CommandOutcome> {
  const { sources = [], ...changes } = more;
  const registry = new CommandRegistry([builtinCommands(), ...sources]);
  const invocation = parseCommandLine(text, registry);
  if (invocation === undefined) throw new Error(`"${text}" is not a command`);
  const { outcome } = await runCommand(registry, { ...invocation, ...changes }, host);
  return outcome;
}

/** The content of the message. Throws for any other outcome. */
export async function messageOf(text: string, fake: Pick<FakeHost, 'host'>): Promise<string> {
  const outcome = await typeIn(text, fake);
  if (outcome.type !== 'message') throw new Error(`${text} returned ${outcome.type}`);
  return outcome.content;
}
