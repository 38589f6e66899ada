import type { McpToolEntry } from '@qwen/tools';
import { changedTools, type MemoryKey, type RememberedServer, type ToolMemory } from './tool-memory.js';

/** Detects changed tools of one server, within a session and since the last one. */
export class ToolWatch {
  readonly #memory: ToolMemory;
  readonly #key: MemoryKey;
  readonly #tell: (message: string) => void;
  readonly #changed = new Set<string>();
  #before: readonly McpToolEntry[] | undefined;
  #hasBegun = false;
  #kept: Promise<void> = Promise.resolve();

  /** `tell` receives a message for people. */
  constructor(memory: ToolMemory, key: MemoryKey, tell: (message: string) => void) {
    this.#memory = memory;
    this.#key = key;
    this.#tell = tell;
  }

  /** Loads the last known tools; call it before `see()`. */
  async begin(): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const known: RememberedServer | undefined = await this.#memory.recall(this.#key);
    if (known?.isSameDefinition === true) this.#before = known.tools;
    else if (known !== undefined) this.#tell('Its definition has changed.');
  }

  /** Takes the current tool list. */
  see(entries: readonly McpToolEntry[]): void {
    const changed = changedTools(this.#before ?? [], entries);
    for (const name of changed) this.#changed.add(name);
    if (changed.length > 0) {
      this.#tell(`These tools changed their description or schema: ${changed.join(', ')}`);
    }
    const isSame = JSON.stringify(this.#before) === JSON.stringify(entries);
    this.#before = entries;
    // A failed write only means that the tools count as new next time.
    if (!isSame) this.#kept = this.#memory.keep(this.#key, entries).catch(() => undefined);
  }

  /** Resolves when the last list is stored. */
  get kept(): Promise<void> {
    return this.#kept;
  }

  /** Whether the tool is unchanged since it was trusted. */
  isUnchanged(toolName: string): boolean {
    return !this.#changed.has(toolName);
  }
}
