import type { AgentEvent } from '../events.js';
import type { LiveEvents } from './live-events.js';

/**
 * The events of a turn with live ones in between, also while the turn waits for a tool or the model. Takes one step
 * of the turn for each event that is read. Leaving early calls `stop`, so that the step under way comes to its end,
 * and waits for it.
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
      // What was shown while the reader was busy comes before what it led to.
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
