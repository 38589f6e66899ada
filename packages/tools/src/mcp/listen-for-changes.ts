import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';

/** Between two subscriptions, in milliseconds. */
const AGAIN_MS = { first: 1000, most: 60_000 };

export interface ListenOptions {
  readonly timeoutMs: number;
  readonly isOver: () => boolean;
  /** Called when changes may have been missed. */
  readonly onMissed: () => void;
}

/** A modern server reports changes only to those who listen. Resolves when the connection is over. */
export async function listenForChanges(client: Client, options: ListenOptions): Promise<void> {
  const { timeoutMs, isOver, onMissed } = options;
  const { tools, prompts } = client.getServerCapabilities() ?? {};
  const filter = {
    ...(tools?.listChanged === true && { toolsListChanged: true }),
    ...(prompts?.listChanged === true && { promptsListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  let delay = AGAIN_MS.first;
  while (!isOver()) {
    const began = performance.now();
    try {
      const subscription = await client.listen(filter, { timeout: timeoutMs });
      if ((await subscription.closed) === 'local') return;
    } catch {
      // Tried again, less and less often.
    }
    if (performance.now() - began > AGAIN_MS.most) delay = AGAIN_MS.first;
    await sleep(delay, undefined, { ref: false });
    delay = Math.min(delay * 2, AGAIN_MS.most);
    if (!isOver()) onMissed();
  }
}
