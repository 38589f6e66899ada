import type { PageClock } from './page-clock.js';

/** A hidden tab gets no animation frames, but its title still shows the state. */
const HIDDEN_FRAME_MS = 250;
const HIDDEN_MS = 60_000;

/** Pauses end early when the network is back or the tab becomes visible. */
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
  hiddenSignal(mayRest, signal) {
    const resting = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const restart = () => {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(rest, HIDDEN_MS);
    };
    const rest = () => (mayRest() ? resting.abort() : restart());
    const over = AbortSignal.any([resting.signal, signal]);
    document.addEventListener('visibilitychange', restart, { signal: over });
    over.addEventListener('abort', () => clearTimeout(timer));
    restart();
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
