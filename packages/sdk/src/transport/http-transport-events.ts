import { type DecodedLine, LineDecoder } from '@qwen/protocol';

/** One event of a stream, or a sign of life. */
export type StreamItem =
  | { readonly kind: 'event'; readonly seq: number | undefined; readonly type: string; readonly data: DecodedLine }
  | { readonly kind: 'comment' };

/** `data: ` stands before each line of the CLI. */
const PREFIX_BYTES = 8;

/**
 * Reads the Server-Sent Events of a qwen server, which writes id, type and then the data on one line. An event that is
 * longer than the limit comes with an error in place of its data. One for each connection.
 */
export class StreamItems {
  readonly #lines: LineDecoder;
  #id: string | undefined;
  #type = 'message';

  constructor(maxLineBytes: number) {
    this.#lines = new LineDecoder({ maxLineBytes: maxLineBytes + PREFIX_BYTES });
  }

  push(chunk: Uint8Array): StreamItem[] {
    return this.#lines.push(chunk).flatMap((line) => this.#read(line));
  }

  #read(line: DecodedLine): StreamItem[] {
    if (!line.ok) return [this.#event(line)];
    const colon = line.text.indexOf(':');
    const field = colon === -1 ? line.text : line.text.slice(0, colon);
    const value = line.text.slice(line.text.startsWith(' ', colon + 1) ? colon + 2 : colon + 1);
    switch (field) {
      case '':
        return [{ kind: 'comment' }];
      case 'id':
        this.#id = value;
        return [];
      case 'event':
        this.#type = value;
        return [];
      case 'data':
        return [this.#event({ ...line, text: value })];
      default:
        return [];
    }
  }

  #event(data: DecodedLine): StreamItem {
    const id = this.#id;
    const type = this.#type;
    this.#id = undefined;
    this.#type = 'message';
    return { kind: 'event', seq: id === undefined ? undefined : Number(id), type, data };
  }
}
