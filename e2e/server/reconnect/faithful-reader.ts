import type { MortalServer } from './mortal-server.ts';

/** One event as the reader got it. */
export interface ReadEvent {
  readonly id: string;
  readonly type: string;
  /** The `data:` line, byte for byte. */
  readonly text: string;
}

/** Follows one session over any number of connections and servers, always from the last event that it has. */
export class FaithfulReader {
  readonly events: ReadEvent[] = [];
  readonly #path: string;

  constructor(sessionId: string) {
    this.#path = `/sessions/${sessionId}/events/stream`;
  }

  /**
   * Reads until `isEnough` says so, or the connection ends; gives whether it was enough. What was on its way when the
   * server died counts too.
   */
  async read(server: MortalServer, isEnough: (event: ReadEvent) => boolean): Promise<boolean> {
    const headers = { 'last-event-id': this.events.at(-1)?.id ?? '0' };
    const stream = await server.fetch(this.#path, { headers });
    if (stream.body === null || stream.status !== 200) throw new Error(`no stream: ${stream.status}`);
    let rest = '';
    try {
      for await (const piece of stream.body.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + piece).split('\n\n');
        rest = blocks.pop() ?? '';
        const news = blocks.flatMap((block) => toEvent(block));
        this.events.push(...news);
        if (news.some(isEnough)) return true;
      }
    } catch {
      // The server died; that is what this is about.
    }
    return false;
  }
}

/** Remarks of the stream have no id, and are no events of the session. */
function toEvent(block: string): ReadEvent[] {
  const fields = new Map(
    block.split('\n').map((line) => [line.split(': ', 1)[0] ?? '', line.slice(line.indexOf(': ') + 2)]),
  );
  const [id, type, text] = [fields.get('id'), fields.get('event'), fields.get('data')];
  return id === undefined || type === undefined || text === undefined ? [] : [{ id, type, text }];
}
