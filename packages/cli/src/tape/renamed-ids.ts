import { isJsonObject } from '@qwen/protocol';

/** Members in which a host puts names of its own making, so that they differ from run to run. */
const ID_MEMBERS: ReadonlySet<string> = new Set(['request_id', 'session_id', 'prompt_id', 'uuid', 'tool_call_id']);

/**
 * What the ids of a recorded host are called by the host of today: learned from pairs of lines that stand for one
 * another, and put into the recorded answers, which would else answer nobody.
 */
export class RenamedIds {
  readonly #names = new Map<string, string>();

  /** `recorded` stands on the tape where `live` came now. */
  learn(recorded: string, live: string): void {
    this.#compare(parse(recorded), parse(live));
  }

  /** A recorded line with the ids of today. */
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
