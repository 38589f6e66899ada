/** The largest numbers, the largest first. */
export const top = (numbers, count) => [...numbers].sort((left, right) => right - left).slice(0, count);
