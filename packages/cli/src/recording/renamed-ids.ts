import { isJsonObject, parseJson } from '@qwen/protocol';

/** Members with host-generated ids, which differ between runs. */
const ID_MEMBERS: ReadonlySet<string> = new Set(['request_id', 'session_id', 'prompt_id', 'uuid', 'tool_call_id']);

const JSON_STRINGS = /"(?:[^"\\]|\\.)*"/g;

/** Maps recorded ids to current ones, learned from matching host lines, and rewrites recorded answers. */
export class RenamedIds {
  readonly #names = new Map<string, string>();

  learn(recorded: string, live: string): void {
    this.#compare(parseJson(recorded), parseJson(live));
  }

  apply(line: string): string {
    return line.replace(JSON_STRINGS, (text) => this.#names.get(text) ?? text);
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
        if (value !== other && ID_MEMBERS.has(name)) this.#names.set(JSON.stringify(value), JSON.stringify(other));
      } else {
        this.#compare(value, other);
      }
    }
  }
}
