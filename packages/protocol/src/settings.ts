import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { PERMISSION_MODES } from './modes.js';
import { openObject } from './open-object.js';
import { cliMcpServerConfigSchema } from './options.js';

const names = z.array(z.string());

/** A hook that is a shell command: the input as JSON on its stdin; exit code 0 says yes, 2 blocks, any other is a fault. */
export const commandHookSchema = lazySchema(() =>
  openObject({
    type: z.literal('command'),
    command: z.string(),
    /** Seconds. Default 60. */
    timeout: z.optional(z.number().check(z.positive())),
    /** Whether a fault or a timeout blocks. Default: true for PreToolUse and UserPromptSubmit, false otherwise. */
    blocking: z.optional(z.boolean()),
  }),
);
export type CommandHook = z.infer<typeof commandHookSchema>;

/** Hooks for the tools whose name fits a regular expression; missing or `*` means all. */
export const hookGroupSchema = lazySchema(() =>
  openObject({ matcher: z.optional(z.string()), hooks: z.array(commandHookSchema) }),
);
export type HookGroup = z.infer<typeof hookGroupSchema>;

/** The themes of the terminal. */
export const THEMES = ['auto', 'dark', 'light', 'ansi', 'none'] as const;

/** How the terminal looks and behaves. Counts in the user's file and in `--settings` only. */
export const uiSettingsSchema = lazySchema(() =>
  openObject({
    /** Default `auto`. One that we do not know is taken for `auto`: other programs have themes of their own here. */
    theme: z.optional(z.union([z.enum(THEMES), z.string()])),
    /** Linear output. Default false. */
    screenReader: z.optional(z.boolean()),
    /** The command that opens a text for editing. Default: `VISUAL`, then `EDITOR`. */
    editor: z.optional(z.string()),
  }),
);
export type UiSettings = z.infer<typeof uiSettingsSchema>;

/**
 * A settings file: `~/.qwen/settings.json` of the user, `.qwen/settings.json` of the project. Members that we do not
 * know are left alone. What a project says counts only in a trusted folder; deny and ask rules always count.
 */
export const settingsSchema = lazySchema(() =>
  openObject({
    /** For editors; nothing reads it here. */
    $schema: z.optional(z.string()),
    model: z.optional(z.string()),
    permissions: z.optional(
      openObject({
        allow: z.optional(names),
        ask: z.optional(names),
        deny: z.optional(names),
        /** Also in the words of Claude Code. */
        defaultMode: z.optional(z.enum([...PERMISSION_MODES, 'acceptEdits', 'bypassPermissions'])),
        additionalDirectories: z.optional(names),
      }),
    ),
    /** By event; people are told of events that we do not know. */
    hooks: z.optional(z.record(z.string(), z.array(hookGroupSchema))),
    disableAllHooks: z.optional(z.boolean()),
    mcpServers: z.optional(z.record(z.string(), cliMcpServerConfigSchema)),
    ui: z.optional(uiSettingsSchema),
    telemetry: z.optional(openObject({ enabled: z.optional(z.boolean()) })),
  }),
);
export type Settings = z.infer<typeof settingsSchema>;

/** `~/.qwen/trusted-folders.json`: real paths of folders whose project settings may take effect. */
export const trustedFoldersSchema = lazySchema(() =>
  openObject({
    folders: z.record(
      z.string(),
      openObject({
        trusted_at: z.string(),
        /** Of all that needs trust, as it was then: what has changed since is trusted anew. */
        settings_sha256: z.string(),
        /** Of its agent files; missing when it had none. */
        agents_sha256: z.optional(z.string()),
      }),
    ),
  }),
);
export type TrustedFolders = z.infer<typeof trustedFoldersSchema>;
