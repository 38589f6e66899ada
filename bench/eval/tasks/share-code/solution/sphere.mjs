import { square } from './math.mjs';

export const surface = (radius) => 4 * Math.PI * square(radius);
