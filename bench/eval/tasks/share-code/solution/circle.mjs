import { square } from './math.mjs';

export const area = (radius) => Math.PI * square(radius);
