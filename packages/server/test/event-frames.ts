/** One frame of an event stream, read line by line as the documents' scripts do. */
export interface Frame {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The events of a stream as they come. Leaving the loop drops the connection. */
export async function* readFrames(response: Response): AsyncGenerator<Frame, void, undefined> {
  if (response.body === null) return;
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = fieldOf(block, 'data');
      if (data !== undefined) {
        yield { id: fieldOf(block, 'id') ?? '', event: fieldOf(block, 'event') ?? '', data: Object(JSON.parse(data)) };
      }
    }
  }
}

function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `));
  return line?.slice(name.length + 2);
}

/** Reads up to and with the first frame of this event. */
export async function framesUntil(
  frames: AsyncGenerator<Frame, void, undefined>,
  event: string,
): Promise<readonly Frame[]> {
  const read: Frame[] = [];
  for (;;) {
    const { value, done } = await frames.next();
    if (done === true) throw new Error(`the stream ended before ${event}: ${read.map((one) => one.event).join(', ')}`);
    read.push(value);
    if (value.event === event) return read;
  }
}
