import { type PublicEvent, publicEventSchema } from '@qwen/protocol/server';
import {
  isolatedEnvironment,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import { toPublicText } from '../src/core/public-text.js';
import { type CoreOptions, openCore, type ServerCore } from '../src/core/server-core.js';
import type { SessionService } from '../src/core/session-service.js';
import { WorkspaceFolders } from '../src/core/workspace-folders.js';
import type { NewEvent } from '../src/log/logged-event.js';
import { openStores } from '../src/store/open-stores.js';
import type { SessionStore } from '../src/store/session-store.js';
import { flakyLog } from './flaky-log.js';

/** A core over real files, with real agents and a scripted model. Close it with `await using`. */
export interface ServedCore extends AsyncDisposable {
  readonly core: ServerCore;
  readonly sessions: SessionService;
  readonly model: ScriptedModel;
  readonly folder: TemporaryFolder;
  /** Resolves with the first notice of the core. */
  readonly noticed: Promise<string>;
  /** Closes the core and opens another one over the same files, after `meddle` has changed the store. */
  reopen(meddle?: (store: SessionStore) => Promise<unknown>): Promise<ServedCore>;
}

export interface ServedCoreOptions extends Partial<CoreOptions> {
  readonly replies: readonly ScriptedReply[];
  readonly model?: ScriptedModelOptions;
  /** Where sessions are stored. Default: new files. */
  readonly place?: string;
  /** Whether these events do not fit on the disk. Default: all do. */
  readonly isDiskFull?: (events: readonly NewEvent[]) => boolean;
}

export async function serveCore({ replies, model: pace, ...options }: ServedCoreOptions): Promise<ServedCore> {
  const folder = await temporaryFolder();
  const model = await startScriptedModel(replies, pace);
  const served = await openOver(folder, model, options);
  return {
    ...served,
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function openOver(
  folder: TemporaryFolder,
  model: ScriptedModel,
  options: Omit<ServedCoreOptions, 'replies' | 'model'>,
): Promise<ServedCore> {
  const noticed = Promise.withResolvers<string>();
  const { store, log, shared } = await openStores(options.place ?? folder.resolve('state'));
  const core = await openCore({
    store,
    shared,
    role: 'all',
    leaseMs: 15_000,
    log: options.isDiskFull === undefined ? log : flakyLog(log, options.isDiskFull),
    launch: { env: isolatedEnvironment(folder.resolve('home'), model.env) },
    workspace: folder.path,
    folders: new WorkspaceFolders(),
    approvalMode: 'default',
    maxAgents: 4,
    maxQueuedTurns: 4,
    idleMs: 60_000,
    approvalTimeoutMs: 60_000,
    cancelGraceMs: 5000,
    onNotice: noticed.resolve,
    ...options,
  });
  return {
    core,
    sessions: core.sessions,
    model,
    folder,
    noticed: noticed.promise,
    reopen: async (meddle) => {
      await core.close({ graceMs: 0 });
      if (meddle !== undefined) {
        const between = await openStores(folder.resolve('state'));
        await meddle(between.store);
        await between.log.close();
        await between.store.close();
      }
      return openOver(folder, model, options);
    },
    [Symbol.asyncDispose]: () => core.close({ graceMs: 0 }),
  };
}

/** The events of a session after a seq, up to and including the first that is last. */
export async function eventsUntil(
  sessions: Pick<SessionService, 'log'>,
  sessionId: string,
  isLast: (event: PublicEvent) => boolean,
  afterSeq = 0,
): Promise<readonly PublicEvent[]> {
  using subscription = await sessions.log.attach(sessionId, { afterSeq });
  const events: PublicEvent[] = [];
  for (;;) {
    const items = await subscription.take();
    if (items.length === 0) throw new Error(`the session ended before the event: ${typesOf(events).join(', ')}`);
    for (const item of items) {
      if (item.kind !== 'event') continue;
      const event = publicEventSchema.parse(JSON.parse(toPublicText(sessionId, item.event)));
      events.push(event);
      if (isLast(event)) return events;
      // The awaited event cannot follow.
      const failure = event.type === 'session.status_idle' ? events.findLast(ofType('session.error')) : undefined;
      if (failure !== undefined) throw new Error(`the turn failed: ${JSON.stringify(failure)}`);
    }
  }
}

/** Whether an event has the type. */
export const ofType =
  (type: string) =>
  (event: PublicEvent): boolean =>
    event.type === type;

export const typesOf = (events: readonly PublicEvent[]): readonly string[] => events.map(({ type }) => type);

/** The text that an answer's deltas come to. */
export function deltasOf(events: readonly PublicEvent[]): string {
  return events
    .map((event) =>
      event.type === 'agent.content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : '',
    )
    .join('');
}
