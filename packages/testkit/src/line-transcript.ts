/** A raw line, and its value if it is a JSON object. */
export interface ProgramLine {
  readonly text: string;
  readonly json: Record<string, unknown> | undefined;
}

/** A predicate, or a part that the line must contain (deep, arrays by index). */
export type LineMatch = ((line: Record<string, unknown>) => boolean) | Readonly<Record<string, unknown>>;

interface TranscriptOptions {
  readonly deadlineMs: number;
  readonly stderr: () => string;
}

/** Splits bytes at LF only; supports one waiting reader. */
export class LineTranscript {
  readonly lines: ProgramLine[] = [];
  readonly #options: TranscriptOptions;
  #rest: Buffer = Buffer.alloc(0);
  #cursor = 0;
  #ended = false;
  #wake = () => {};

  constructor(options: TranscriptOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    const bytes = Buffer.concat([this.#rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
      this.#add(bytes.toString('utf8', start, end));
      start = end + 1;
    }
    this.#rest = bytes.subarray(start);
    this.#wake();
  }

  /** A rest without a newline becomes the last line. */
  end(): void {
    if (this.#rest.length > 0) this.#add(this.#rest.toString('utf8'));
    this.#rest = Buffer.alloc(0);
    this.#ended = true;
    this.#wake();
  }

  async next(match: LineMatch): Promise<Record<string, unknown>> {
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<'expired'>((resolve) => {
      timer = setTimeout(() => resolve('expired'), this.#options.deadlineMs);
    });
    try {
      for (;;) {
        const found = this.#scan(match);
        if (found !== undefined) return found;
        if (this.#ended) throw this.#failure(match, 'stdout ended first');
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        if ((await Promise.race([woken, expired])) === 'expired') {
          throw this.#failure(match, `nothing matched within ${this.#options.deadlineMs} ms`);
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #scan(match: LineMatch): Record<string, unknown> | undefined {
    while (this.#cursor < this.lines.length) {
      const json = this.lines[this.#cursor]?.json;
      this.#cursor += 1;
      if (json !== undefined && (typeof match === 'function' ? match(json) : holds(json, match))) return json;
    }
    return undefined;
  }

  #add(text: string): void {
    this.lines.push({ text, json: parseObject(text) });
  }

  #failure(match: LineMatch, why: string): Error {
    const wanted = typeof match === 'function' ? 'the line asked for' : JSON.stringify(match);
    const shown = this.lines.map((line) => `  ${line.text.slice(0, 500)}`).join('\n');
    return new Error(`${wanted}: ${why}\nstdout:\n${shown}\nstderr:\n  ${this.#options.stderr().slice(-4000)}`);
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function holds(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    return Array.isArray(whole) && whole.length === part.length && part.every((item, at) => holds(whole[at], item));
  }
  if (isRecord(part)) return isRecord(whole) && Object.entries(part).every(([key, value]) => holds(whole[key], value));
  return Object.is(whole, part);
}
