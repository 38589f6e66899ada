import { isJsonObject } from '@qwen/protocol';

/** Members with host-generated ids, which differ between runs. */
const ID_MEMBERS: ReadonlySet<string> = new Set(['request_id', 'session_id', 'prompt_id', 'uuid', 'tool_call_id']);

/** Maps recorded ids to current ones, learned from matching host lines, and rewrites recorded answers. */
export class RenamedIds {
  readonly #names = new Map<string, string>();

  learn(recorded: string, live: string): void {
    this.#compare(parse(recorded), parse(live));
  }

  apply(line: string): string {
    let renamed = line;
    for (const [recorded, live] of this.#names) renamed = renamed.replaceAll(recorded, live);
    return renamed;
  }

  #compare(recorded: unknown, live: unknown): void {
    if (Array.isArray(recorded) && Array.isArray(live)) {
      for (const [index, item] of recorded.entries()) this.#compare(item, live[index]);
      return;
    }
    if (!isJsonObject(recorded) || !isJsonObject(live)) return;
    for (const [name, value] of Object.entries(recorded)) {
      const other = live[name];
      if (typeof value === 'string' && typeof other === 'string') {
        if (value !== other && ID_MEMBERS.has(name)) this.#names.set(quote(value), quote(other));
      } else {
        this.#compare(value, other);
      }
    }
  }
}

function quote(id: string): string {
  return JSON.stringify(id);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
