import type { PageClock } from './page-clock.js';

/** A hidden tab draws no frames, but its title still tells that a turn ended. */
const HIDDEN_FRAME_MS = 250;
const UNSEEN_MS = 60_000;

/** Time as the browser has it. A pause ends early when the network comes back or the tab is looked at again. */
export const browserClock: PageClock = {
  nextFrame(callback) {
    if (document.hidden) setTimeout(callback, HIDDEN_FRAME_MS);
    else requestAnimationFrame(callback);
  },
  pause(ms, signal) {
    return new Promise((resolve, reject) => {
      const ended = new AbortController();
      const end = (settle: () => void) => {
        clearTimeout(timer);
        ended.abort();
        settle();
      };
      const timer = setTimeout(() => end(resolve), ms);
      const { signal: until } = ended;
      addEventListener('online', () => end(resolve), { signal: until });
      document.addEventListener('visibilitychange', () => !document.hidden && end(resolve), { signal: until });
      signal.addEventListener('abort', () => end(() => reject(signal.reason)), { signal: until });
    });
  },
  unseen(mayRest, signal) {
    const resting = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(rest, UNSEEN_MS);
    };
    const rest = () => (mayRest() ? resting.abort() : look());
    const over = AbortSignal.any([resting.signal, signal]);
    document.addEventListener('visibilitychange', look, { signal: over });
    over.addEventListener('abort', () => clearTimeout(timer));
    look();
    return over;
  },
  untilVisible(signal) {
    return new Promise((resolve, reject) => {
      if (!document.hidden) return resolve();
      document.addEventListener('visibilitychange', () => resolve(), { once: true, signal });
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      return undefined;
    });
  },
  random: () => Math.random(),
};
