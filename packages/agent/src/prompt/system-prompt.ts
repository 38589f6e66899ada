/** What the system prompt tells the model about its surroundings. */
export interface SystemPromptOptions {
  /** Absolute path of the workspace. */
  readonly cwd: string;
  /** The operating system, as people call it: `linux`, `darwin`, `win32`. */
  readonly platform: string;
  /** The day the session began, `YYYY-MM-DD`; it never changes within a session (provider caches). */
  readonly date: string;
  /** The text of QWEN.md and AGENTS.md. */
  readonly projectInstructions?: string;
  /** Text of the app, put last. */
  readonly append?: string;
}

/** The built-in system prompt. The same options give the same bytes. */
export function buildSystemPrompt(options: SystemPromptOptions): string {
  return options.cwd;
}
