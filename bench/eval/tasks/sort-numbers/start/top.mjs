/** The largest numbers, the largest first. */
export const top = (numbers, count) => numbers.sort().reverse().slice(0, count);
