import type { CliFixture } from '@qwen/cli/test/cli-fixture.js';
import type { LineProcess } from '@qwen/testkit';

/** An event of a session as the server shows it. */
export type ServedEvent = Readonly<Record<string, unknown>> & { readonly seq: number; readonly type: string };

/** A running `qwen serve` and a client of it. */
export interface Served {
  readonly program: LineProcess;
  readonly url: string;
  readonly post: (path: string, body: unknown) => Promise<Response>;
  /** Sends a message. Resolves when its turn is accepted. */
  readonly say: (
    sessionId: string | undefined,
    message: string,
  ) => Promise<{ readonly sessionId: string; readonly requestId: string }>;
  /** The events of a session up to and including the awaited one. */
  readonly follow: (sessionId: string, isLast: (event: ServedEvent) => boolean) => Promise<readonly ServedEvent[]>;
}

/** Starts `qwen serve` at any free port and waits until it listens. */
export async function startServe(fixture: CliFixture, flags: readonly string[] = []): Promise<Served> {
  // The folder of the fixture contains the home folder, so it cannot be a workspace.
  await fixture.workspace.write('served/README.md', '');
  const workspace = fixture.workspace.resolve('served');
  const program = await fixture.start(['serve', '--port', '0', '--workspace', workspace, ...flags]);
  const url = await program.printed(/^http:.+$/);
  const post = (path: string, body: unknown) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    program,
    url,
    post,
    say: async (sessionId, message) => {
      const answer = await post('/api/chat/stream', { message, ...(sessionId !== undefined && { sessionId }) });
      for await (const event of dataOf(answer)) {
        if (event['type'] !== 'connected') throw new Error(`the stream began with ${String(event['type'])}`);
        return { sessionId: String(event['sessionId']), requestId: String(event['requestId']) };
      }
      throw new Error('the stream was empty');
    },
    follow: async (sessionId, isLast) => {
      const events: ServedEvent[] = [];
      for await (const event of dataOf(await post('/api/chat/follow', { sessionId }))) {
        if (!isEvent(event)) continue;
        events.push(event);
        if (isLast(event)) return events;
      }
      throw new Error(`the stream ended behind ${events.map(({ type }) => type).join(', ')}`);
    },
  };
}

function isEvent(data: Readonly<Record<string, unknown>>): data is ServedEvent {
  // What the stream says about itself has no id.
  return String(data['id']).startsWith('evt_');
}

/** The data of a stream of Server-Sent Events. Leaving the loop closes the connection. */
async function* dataOf(answer: Response): AsyncGenerator<Readonly<Record<string, unknown>>> {
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status} ${await answer.text()}`);
  let rest = '';
  for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6));
  }
}
