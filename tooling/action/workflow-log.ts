import { appendFileSync } from 'node:fs';

/** Levels of annotations, as in GitHub's API of checks. */
export const LEVELS = { failure: 'error', warning: 'warning', notice: 'notice' } as const;
export type Level = keyof typeof LEVELS;

export interface Annotation {
  readonly level: Level;
  readonly message: string;
  readonly title?: string | undefined;
  readonly path?: string | undefined;
  readonly startLine?: number | undefined;
  readonly endLine?: number | undefined;
}

const HIDDEN = '***';

/** The log of the step. Text of the agent cannot contain workflow commands, and secrets are replaced. */
export class WorkflowLog {
  readonly #secrets: readonly string[];
  readonly #files: NodeJS.ProcessEnv;

  constructor(secrets: readonly string[], files: NodeJS.ProcessEnv) {
    this.#secrets = secrets;
    this.#files = files;
    for (const line of secrets.flatMap((secret) => secret.split(/\r?\n/))) {
      if (line !== '') process.stdout.write(`::add-mask::${escapeData(line)}\n`);
    }
  }

  redact(text: string): string {
    return this.#secrets.reduce((redacted, secret) => redacted.replaceAll(secret, HIDDEN), text);
  }

  /** Until the returned function is called, the runner takes no commands from the log. */
  stopCommands(): () => void {
    const token = crypto.randomUUID();
    process.stdout.write(`::stop-commands::${token}\n`);
    return () => process.stdout.write(`\n::${token}::\n`);
  }

  print(text: string): void {
    process.stdout.write(`${this.redact(text)}\n`);
  }

  annotate({ level, message, title, path, startLine, endLine }: Annotation): void {
    const properties = { title, file: path, line: startLine, endLine };
    const written = Object.entries(properties).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${escapeProperty(this.redact(String(value)))}`],
    );
    const command = [LEVELS[level], written.join(',')].filter((part) => part !== '').join(' ');
    process.stdout.write(`::${command}::${escapeData(this.redact(message))}\n`);
  }

  setOutput(name: string, value: string): void {
    const delimiter = crypto.randomUUID();
    this.#append('GITHUB_OUTPUT', `${name}<<${delimiter}\n${this.redact(value)}\n${delimiter}\n`);
  }

  summarize(markdown: string): void {
    this.#append('GITHUB_STEP_SUMMARY', `${this.redact(markdown)}\n`);
  }

  #append(file: string, text: string): void {
    const path = this.#files[file];
    if (path) appendFileSync(path, text);
  }
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
