import type { AgentEvent } from '../events.js';
import type { LiveEvents } from './live-events.js';

/**
 * Merges live events into those of a turn and takes one step per event read. Leaving early calls `stop` and waits
 * for the step in progress.
 */
export async function* withLiveEvents(
  turn: AsyncGenerator<AgentEvent, void>,
  live: LiveEvents,
  stop: () => void,
): AsyncGenerator<AgentEvent, void> {
  let step: Step | undefined;
  try {
    for (;;) {
      yield* live.take();
      step ??= startStep(turn, live);
      if (step.outcome === undefined) {
        await live.wait();
        continue;
      }
      const { outcome } = step;
      step = undefined;
      // Live events precede the step that they led to.
      yield* live.take();
      if ('thrown' in outcome) throw outcome.thrown;
      if (outcome.result.done === true) return;
      yield outcome.result.value;
    }
  } finally {
    stop();
    await turn.return();
  }
}

interface Step {
  outcome?: { readonly result: IteratorResult<AgentEvent, void> } | { readonly thrown: unknown };
}

function startStep(turn: AsyncGenerator<AgentEvent, void>, live: LiveEvents): Step {
  const step: Step = {};
  turn.next().then(
    (result) => {
      step.outcome = { result };
      live.wake();
    },
    (thrown: unknown) => {
      step.outcome = { thrown };
      live.wake();
    },
  );
  return step;
}
