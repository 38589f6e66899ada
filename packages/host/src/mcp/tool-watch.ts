import type { McpToolEntry } from '@qwen/tools';
import { changedTools, type MemoryKey, type RememberedServer, type ToolMemory } from './tool-memory.js';

/** Sees what the tools of one server say about themselves, over the time of a session and since the last one (S94). */
export class ToolWatch {
  readonly #memory: ToolMemory;
  readonly #key: MemoryKey;
  readonly #tell: (message: string) => void;
  readonly #changed = new Set<string>();
  #before: readonly McpToolEntry[] | undefined;
  #hasBegun = false;
  #kept: Promise<void> = Promise.resolve();

  /** `tell` takes words for people. */
  constructor(memory: ToolMemory, key: MemoryKey, tell: (message: string) => void) {
    this.#memory = memory;
    this.#key = key;
    this.#tell = tell;
  }

  /** Looks up what the server was like the last time; to be called before its tools are seen. */
  async begin(): Promise<void> {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    const known: RememberedServer | undefined = await this.#memory.recall(this.#key);
    if (known?.isSameDefinition === true) this.#before = known.tools;
    else if (known !== undefined) this.#tell('Its definition is not the one of the last time.');
  }

  /** Takes the tools as the server lists them now. */
  see(entries: readonly McpToolEntry[]): void {
    const changed = changedTools(this.#before ?? [], entries);
    for (const name of changed) this.#changed.add(name);
    if (changed.length > 0) {
      this.#tell(`These tools say something else about themselves than before: ${changed.join(', ')}`);
    }
    const isSame = JSON.stringify(this.#before) === JSON.stringify(entries);
    this.#before = entries;
    // What cannot be kept is seen as new the next time; that is no reason to fail now.
    if (!isSame) this.#kept = this.#memory.keep(this.#key, entries).catch(() => undefined);
  }

  /** Resolves when what was seen last is kept. */
  get kept(): Promise<void> {
    return this.#kept;
  }

  /** Whether this tool is what it was when it was trusted. */
  isUnchanged(toolName: string): boolean {
    return !this.#changed.has(toolName);
  }
}
