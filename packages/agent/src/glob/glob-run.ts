import type { GlobGroup, GlobNode, GlobNodes } from './parse-glob.js';

type Positions = readonly number[];

/**
 * Each part of the glob turns the positions where it may start into those where it may end; unlike a regular
 * expression, this takes polynomial time.
 */
export class GlobRun {
  readonly #path: string;
  readonly #dotFiles: boolean;
  #repetitions: Map<GlobGroup, Map<number, Positions>> | undefined;

  constructor(path: string, dotFiles: boolean) {
    this.#path = path;
    this.#dotFiles = dotFiles;
  }

  matches(nodes: GlobNodes): boolean {
    const last = nodes.at(-1);
    const starts = this.ends(nodes.slice(0, -1));
    const end = this.#path.length;
    // Most globs end in one of these, where a look at each start does.
    if (last === undefined) return end === 0;
    switch (last.type) {
      case 'star':
        return starts.some((at) => this.#endOfName(at) === end && !this.#isHiddenDot(at));
      case 'below':
        return starts.some((at) => at === end || this.#path[at] === '/');
      case 'all':
        return starts.length > 0;
      default:
        return this.#step(last, starts).at(-1) === end;
    }
  }

  ends(nodes: GlobNodes, starts: Positions = [0]): Positions {
    let positions = starts;
    for (const node of nodes) {
      if (positions.length === 0) break;
      positions = this.#step(node, positions);
    }
    return positions;
  }

  #step(node: GlobNode, starts: Positions): Positions {
    const path = this.#path;
    switch (node.type) {
      case 'text':
        return starts.filter((at) => path.startsWith(node.text, at)).map((at) => at + node.text.length);
      case 'any':
        return starts.flatMap((at) =>
          this.#isHiddenDot(at) ? [] : this.#character(at).map((text) => at + text.length),
        );
      case 'set':
        return ascending(
          starts.flatMap((at) =>
            [...this.#character(at).filter(node.has), node.text].flatMap((text) => this.#after(text, at)),
          ),
        );
      case 'star':
        return this.#star(starts);
      case 'folders':
        return starts.length === 1
          ? this.#folders(starts[0] ?? 0)
          : ascending(starts.flatMap((at) => this.#folders(at)));
      case 'below':
        return ascending(starts.flatMap((at) => (path[at] === '/' ? range(at, path.length) : at)));
      case 'all':
        return range(starts[0] ?? 0, path.length);
      case 'group':
        return ascending(starts.flatMap((at) => this.#group(node, at)));
    }
  }

  #after(text: string, at: number): Positions {
    return this.#path.startsWith(text, at) ? [at + text.length] : [];
  }

  #character(at: number): readonly string[] {
    const code = this.#path.codePointAt(at);
    return code === undefined || this.#path[at] === '/' ? [] : [String.fromCodePoint(code)];
  }

  #isHiddenDot(at: number): boolean {
    return !this.#dotFiles && this.#path[at] === '.' && (at === 0 || this.#path[at - 1] === '/');
  }

  #star(starts: Positions): Positions {
    const ends: number[] = [];
    let next = 0;
    for (const at of starts) {
      if (at < next) continue;
      const end = this.#isHiddenDot(at) ? at : this.#endOfName(at);
      for (next = at; next <= end; next += 1) ends.push(next);
    }
    return ends;
  }

  #folders(at: number): Positions {
    const ends = [at];
    for (let from = at; !this.#isHiddenDot(from); from = ends.at(-1) ?? from) {
      const slash = this.#path.indexOf('/', from);
      if (slash < 0) break;
      ends.push(slash + 1);
    }
    return ends;
  }

  #group(group: GlobGroup, at: number): Positions {
    switch (group.kind) {
      case '@':
        return this.#once(group, at);
      case '?':
        return [at, ...this.#once(group, at)];
      case '*':
        return [at, ...this.#repeat(group, at)];
      case '+':
        return this.#repeat(group, at);
      case '!': {
        const excluded = new Set(this.#once(group, at));
        return range(at, group.hasSlash ? this.#path.length : this.#endOfName(at)).filter((end) => !excluded.has(end));
      }
    }
  }

  #repeat(group: GlobGroup, start: number): Positions {
    const ends = new Set<number>();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const end of this.#once(group, at)) {
        if (!ends.has(end)) open.push(end);
        ends.add(end);
      }
    }
    return [...ends];
  }

  #once(group: GlobGroup, at: number): Positions {
    this.#repetitions ??= new Map();
    const known = this.#repetitions.get(group) ?? new Map<number, Positions>();
    this.#repetitions.set(group, known);
    const ends = known.get(at) ?? ascending(group.choices.flatMap((choice) => this.ends(choice, [at])));
    known.set(at, ends);
    return ends;
  }

  #endOfName(at: number): number {
    const slash = this.#path.indexOf('/', at);
    return slash < 0 ? this.#path.length : slash;
  }
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function ascending(positions: Positions): Positions {
  return positions.length < 2 ? positions : [...new Set(positions)].toSorted((left, right) => left - right);
}
