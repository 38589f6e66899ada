import {
  childrenOf,
  RedisServer,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';
import { MortalServer } from '../reconnect/mortal-server.ts';

/** Two front ends and two workers at one Redis, each with its own home, as on separate machines. */
export interface Cluster extends AsyncDisposable {
  readonly redis: RedisServer;
  readonly model: ScriptedModel;
  readonly fronts: readonly [MortalServer, MortalServer];
  readonly workers: readonly [MortalServer, MortalServer];
  /** The worker that has an agent awake. */
  busyWorker(): MortalServer;
}

export interface ClusterOptions extends ScriptedModelOptions {
  readonly replies: readonly ScriptedReply[];
}

export async function openCluster({ replies, ...pace }: ClusterOptions): Promise<Cluster> {
  await using opened = new AsyncDisposableStack();
  const redis = opened.use(await RedisServer.start());
  const model = opened.use(await startScriptedModel(replies, pace));
  const workspace = opened.use(await temporaryFolder());
  const start = async (role: 'front' | 'worker') => {
    const home: TemporaryFolder = opened.use(await temporaryFolder());
    const flags = ['--store', redis.url, '--role', role];
    return opened.use(await MortalServer.start({ home, model, workspace, flags }));
  };
  const fronts = [await start('front'), await start('front')] as const;
  const workers = [await start('worker'), await start('worker')] as const;
  const ours = opened.move();
  return {
    redis,
    model,
    fronts,
    workers,
    busyWorker: () => {
      const busy = workers.find(({ pid }) => childrenOf(pid).length > 0);
      if (busy === undefined) throw new Error('no worker has an agent');
      return busy;
    },
    [Symbol.asyncDispose]: () => ours.disposeAsync(),
  };
}
