import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { listedModelSchema, modelOptionsSchema, providerSchema } from './model-settings.js';
import { CLAUDE_MODES, PERMISSION_MODES, SANDBOX_MODES } from './modes.js';
import { openObject } from './open-object.js';
import { cliMcpServerConfigSchema } from './options.js';

const names = z.array(z.string());

/** A shell command: reads the input as JSON on stdin; exit code 0 approves, 2 blocks, any other is an error. */
export const commandHookSchema = lazySchema(() =>
  openObject({
    type: z.literal('command'),
    command: z.string(),
    /** Seconds. Default 60. */
    timeout: z.optional(z.number().check(z.positive())),
    /** Whether an error or a timeout blocks. Default: true for PreToolUse and UserPromptSubmit, else false. */
    blocking: z.optional(z.boolean()),
    /** False: outside the sandbox, except for hooks of a project. */
    sandbox: z.optional(z.boolean()),
  }),
);
export type CommandHook = z.infer<typeof commandHookSchema>;

/** Hooks for tools whose name matches a regular expression; missing or `*` matches all. */
const hookGroupSchema = lazySchema(() =>
  openObject({ matcher: z.optional(z.string()), hooks: z.array(commandHookSchema) }),
);
export type HookGroup = z.infer<typeof hookGroupSchema>;

/** Names as in Claude Code. Lists of paths: absolute, below `~`, or relative to the working folder. */
const sandboxSettingsSchema = lazySchema(() =>
  openObject({
    /** A project can only make the sandbox stricter. */
    enabled: z.optional(z.boolean()),
    mode: z.optional(z.enum(SANDBOX_MODES)),
    failIfUnavailable: z.optional(z.boolean()),
    autoAllowBashIfSandboxed: z.optional(z.boolean()),
    allowUnsandboxedCommands: z.optional(z.boolean()),
    excludedCommands: z.optional(names),
    filesystem: z.optional(
      openObject({
        allowWrite: z.optional(names),
        denyWrite: z.optional(names),
        denyRead: z.optional(names),
        allowRead: z.optional(names),
      }),
    ),
    network: z.optional(
      openObject({
        allowedDomains: z.optional(names),
        deniedDomains: z.optional(names),
        allowUnixSockets: z.optional(names),
      }),
    ),
    /** Limits of each command and the processes that it starts. */
    limits: z.optional(
      openObject({
        processes: z.optional(z.int().check(z.positive())),
        memoryMiB: z.optional(z.int().check(z.positive())),
      }),
    ),
  }),
);
export type SandboxSettings = z.infer<typeof sandboxSettingsSchema>;

/** Where `web_search` sends queries. */
const webSearchSettingsSchema = lazySchema(() =>
  openObject({
    provider: z.optional(z.enum(['brave', 'tavily', 'searxng', 'off'])),
    url: z.optional(z.string()),
    apiKey: z.optional(z.string()),
    allowedDomains: z.optional(names),
    blockedDomains: z.optional(names),
    maxResults: z.optional(z.int().check(z.gte(1), z.lte(20))),
  }),
);

export const THEMES = ['auto', 'dark', 'light', 'ansi', 'none'] as const;

/** What a key of the terminal can do; the settings bind keys by these names. */
export const KEY_ACTIONS = [
  'sendLater',
  'background',
  'quit',
  'rewind',
  'changeMode',
  'showFull',
  'redraw',
  'suspend',
  'newLine',
  'complete',
  'previous',
  'next',
  'searchHistory',
  'openEditor',
  'pasteImage',
  'left',
  'right',
  'wordLeft',
  'wordRight',
  'lineStart',
  'lineEnd',
  'textStart',
  'textEnd',
  'deleteLeft',
  'deleteRight',
  'deleteToSpace',
  'deleteWordLeft',
  'deleteWordRight',
  'deleteToLineStart',
  'deleteToLineEnd',
  'insertDeleted',
  'swapCharacters',
  'undo',
  'redo',
] as const;
export type KeyAction = (typeof KEY_ACTIONS)[number];

/** One key or several, such as `ctrl+r`, `alt+left` or `ctrl+x ctrl+e`. An empty list: none. */
const keysSchema = z.optional(z.union([z.string(), names]));

/** Look and behavior of the terminal. Read from the user's file and `--settings` only. */
const uiSettingsSchema = lazySchema(() =>
  openObject({
    /** A built-in theme or the name of a file in `~/.qwen/themes`. Default `auto`. */
    theme: z.optional(z.union([z.enum(THEMES), z.string()])),
    screenReader: z.optional(z.boolean()),
    /** Shows the folder and the state in the window title. Default true. */
    windowTitle: z.optional(z.boolean()),
    /** Sends the bell and a notification when a turn of 10 seconds or more ends or asks. Default true. */
    notifications: z.optional(z.boolean()),
    /** Writes paths and addresses as links (OSC 8). Default: where the terminal is known to show them. */
    hyperlinks: z.optional(z.boolean()),
    /** Edits prompts with the keys of vi. Default false. */
    vimMode: z.optional(z.boolean()),
    /** Keys by action, instead of the default keys of the action. */
    keys: z.optional(
      openObject(
        Object.fromEntries(KEY_ACTIONS.map((action) => [action, keysSchema])) as Record<KeyAction, typeof keysSchema>,
      ),
    ),
    /** The editor command. Default: `VISUAL`, then `EDITOR`. */
    editor: z.optional(z.string()),
  }),
);
export type UiSettings = z.infer<typeof uiSettingsSchema>;
export type KeySettings = NonNullable<UiSettings['keys']>;

/**
 * A settings file: the user's `~/.qwen/settings.json` or the project's `.qwen/settings.json`. Unknown members are
 * kept. A project file needs a trusted folder; its deny and ask rules always apply.
 */
export const settingsSchema = lazySchema(() =>
  openObject({
    /** For editors; ignored here. */
    $schema: z.optional(z.string()),
    model: z.optional(z.string()),
    fallbackModel: z.optional(z.union([z.string(), names])),
    /** Read from the user's file and `--settings` only. */
    modelOptions: z.optional(modelOptionsSchema),
    /** The name of one of `providers` or `modelProviders`. Read from the user's file and `--settings` only. */
    provider: z.optional(z.string()),
    /** By name. Read from the user's file and `--settings` only. */
    providers: z.optional(z.record(z.string(), providerSchema)),
    /** The list of qwen-code, by provider. Read from the user's file and `--settings` only. */
    modelProviders: z.optional(z.record(z.string(), z.union([z.array(listedModelSchema), z.unknown()]))),
    /** The protocol of other names in `modelProviders`, as in qwen-code. */
    providerProtocol: z.optional(z.record(z.string(), z.string())),
    /** Read from the user's file and `--settings` only. */
    proxy: z.optional(z.string()),
    permissions: z.optional(
      openObject({
        allow: z.optional(names),
        ask: z.optional(names),
        deny: z.optional(names),
        /** Also accepts Claude Code's names. */
        defaultMode: z.optional(z.enum([...PERMISSION_MODES, ...CLAUDE_MODES])),
        additionalDirectories: z.optional(names),
      }),
    ),
    /** By event; unknown events produce a notice. */
    hooks: z.optional(z.record(z.string(), z.array(hookGroupSchema))),
    disableAllHooks: z.optional(z.boolean()),
    /** Folders of plugins: absolute, below `~`, or relative to the file. Read from the user's file and `--settings` only. */
    plugins: z.optional(names),
    mcpServers: z.optional(z.record(z.string(), cliMcpServerConfigSchema)),
    tools: z.optional(openObject({ lineNumbers: z.optional(z.boolean()) })),
    ui: z.optional(uiSettingsSchema),
    /** Read from the user's file and `--settings` only. */
    security: z.optional(openObject({ allowedEnvironmentVariables: z.optional(names) })),
    sandbox: z.optional(sandboxSettingsSchema),
    /** Read from the user's file and `--settings` only: the provider receives queries. */
    webSearch: z.optional(webSearchSettingsSchema),
    /** Read from the user's file and `--settings` only. */
    memory: z.optional(openObject({ enabled: z.optional(z.boolean()) })),
    telemetry: z.optional(openObject({ enabled: z.optional(z.boolean()) })),
    /** Read from the user's file and `--settings` only. */
    fileHistory: z.optional(openObject({ enabled: z.optional(z.boolean()) })),
  }),
);
export type Settings = z.infer<typeof settingsSchema>;

/** `~/.qwen/trusted-folders.json`: real paths of trusted folders. */
export const trustedFoldersSchema = lazySchema(() =>
  openObject({
    folders: z.record(
      z.string(),
      openObject({
        trusted_at: z.string(),
        /** Hash of everything that needed trust; a change needs new trust. */
        settings_sha256: z.string(),
        /** Hash of the agent files; missing without any. */
        agents_sha256: z.optional(z.string()),
        /** The user made all these settings with qwen, in a folder that asked for nothing. */
        own_settings_only: z.optional(z.boolean()),
      }),
    ),
  }),
);
export type TrustedFolders = z.infer<typeof trustedFoldersSchema>;
