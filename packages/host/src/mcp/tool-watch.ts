import type { ToolDefinition } from '@qwen/agent';
import { type McpToolEntry, nameTools, toServerPart } from '@qwen/tools';
import { hashValue } from './definition-hash.js';
import type { ApprovedTools } from './tool-approvals.js';

export interface ToolWatchOptions {
  readonly serverName: string;
  /** Missing: nothing is stored, and tools that are added later need no approval. */
  readonly store?: {
    read(): Promise<ApprovedTools | undefined>;
    add(tools: ApprovedTools): Promise<void>;
  };
  /** For the user. */
  readonly onNotice: (message: string) => void;
}

/**
 * Detects tools of one server that changed after their approval, also in earlier sessions. Tools have the names that
 * rules contain: another tool of the server may get one by an order or a list that changed.
 */
export class ToolWatch {
  readonly #options: ToolWatchOptions;
  readonly #prefix: string;
  readonly #tools = new Map<string, ApprovedTools[string]>();
  readonly #reported = new Set<string>();
  #begun: Promise<void> | undefined;
  #isKnown = false;
  #kept: Promise<void> = Promise.resolve();

  constructor(options: ToolWatchOptions) {
    this.#options = options;
    this.#prefix = `mcp__${toServerPart(options.serverName)}__`;
  }

  /** Reads what was approved; call it before `see()`. */
  begin(): Promise<void> {
    this.#begun ??= this.#read();
    return this.#begun;
  }

  /** Tools of a new server are approved as they are. */
  see(entries: readonly McpToolEntry[]): void {
    const added: Record<string, ApprovedTools[string]> = {};
    const isNew = this.#isKnown && this.#options.store !== undefined;
    const named = nameTools(this.#options.serverName, entries, {});
    for (const { name, entry } of named) {
      const key = this.#keyOf(name);
      if (!this.#tools.has(key)) added[key] = { fingerprint: fingerprintOf(entry), ...(isNew && { isNew }) };
    }
    this.#isKnown = true;
    this.#keep(added);
    const changed = named.filter((tool) => this.#isUnreported(tool)).map(({ entry }) => entry.name);
    if (changed.length === 0) return;
    this.#options.onNotice(
      `These tools changed their description or schema and need approval again: ${changed.join(', ')}`,
    );
  }

  /** `name` is that of the model, as in rules. */
  definitionOf(entry: McpToolEntry, name: string): ToolDefinition {
    const key = this.#keyOf(name);
    const fingerprint = fingerprintOf(entry);
    return {
      fingerprint,
      state: () => {
        const known = this.#tools.get(key);
        if (known?.fingerprint !== fingerprint) return 'changed';
        return known.isNew === true ? 'new' : 'approved';
      },
      approve: ({ isLasting }) => {
        if (isLasting) this.#keep({ [key]: { fingerprint } });
        else this.#tools.set(key, { fingerprint });
      },
    };
  }

  get kept(): Promise<void> {
    return this.#kept;
  }

  async #read(): Promise<void> {
    const stored = await this.#options.store?.read();
    this.#isKnown = stored !== undefined;
    for (const [name, tool] of Object.entries(stored ?? {})) this.#tools.set(name, tool);
  }

  #keep(tools: ApprovedTools): void {
    for (const [name, tool] of Object.entries(tools)) this.#tools.set(name, tool);
    if (Object.keys(tools).length === 0) return;
    // Without the file, the next session asks again or sees the server for the first time.
    this.#kept = this.#kept.then(() => this.#options.store?.add(tools)).catch(() => undefined);
  }

  #keyOf(name: string): string {
    return name.slice(this.#prefix.length);
  }

  #isUnreported({ entry, name }: ReturnType<typeof nameTools>[number]): boolean {
    const definition = this.definitionOf(entry, name);
    if (definition.state() !== 'changed' || this.#reported.has(definition.fingerprint)) return false;
    this.#reported.add(definition.fingerprint);
    return true;
  }
}

/** Covers everything that the model or the user reads about a tool. */
function fingerprintOf({ name, title, description, inputSchema, annotations }: McpToolEntry): string {
  return hashValue([name, title, description, inputSchema, annotations]);
}
