import * as z from 'zod/mini';
import { LineChild } from './child.ts';
import { programPath } from './programs.ts';

const portSchema = z.object({ port: z.number() });
const answerSchema = z.object({ done: z.string(), tookMs: z.optional(z.number()), bytes: z.optional(z.number()) });
const reportSchema = z.object({ tookMs: z.number(), p50Ms: z.number(), p99Ms: z.number() });

export type ReaderReport = z.infer<typeof reportSchema>;

/** See `programs/server-commands.mjs`. */
export type ServerCommand =
  | { readonly do: 'create'; readonly session: string }
  | { readonly do: 'fill'; readonly session: string; readonly events: number; readonly text: string }
  | { readonly do: 'publish'; readonly session: string; readonly events: number; readonly everyMs: number }
  | { readonly do: 'append'; readonly sessions: number; readonly events: number; readonly text: string }
  | { readonly do: 'memory' };

/** A separate process; `report` resolves when all readers are done. */
export interface Readers {
  readonly report: Promise<ReaderReport>;
  end(): Promise<void>;
}

/** A separate process. */
export class EventServer {
  readonly #child: LineChild;
  readonly #port: number;

  private constructor(child: LineChild, port: number) {
    this.#child = child;
    this.#port = port;
  }

  static async start(program: 'log-server' | 'bare-event-server', place: string): Promise<EventServer> {
    const child = new LineChild({ args: ['--expose-gc', programPath(program), place] });
    return new EventServer(child, portSchema.parse(JSON.parse(await child.line())).port);
  }

  async tell(command: ServerCommand): Promise<z.infer<typeof answerSchema>> {
    const answered = this.#child.line();
    this.#child.write(`${JSON.stringify(command)}\n`);
    return answerSchema.parse(JSON.parse(await answered));
  }

  /** Resolves once the server has responded to all readers. */
  async read(session: string, { connections, events }: { connections: number; events: number }): Promise<Readers> {
    const args = [programPath('event-readers'), String(this.#port), session, String(connections), String(events)];
    const child = new LineChild({ args });
    await child.line((line) => line.includes('ready'));
    const report = child.line().then((line) => reportSchema.parse(JSON.parse(line)));
    child.write('report\n');
    return { report, end: () => child.end() };
  }

  async end(): Promise<void> {
    await this.#child.end();
  }
}
