import type { Theme } from './theme.js';

/** Where the colour cube of 256 colours begins, and the steps of each of its channels. */
export const CUBE_START = 16;
export const CUBE_STEPS = [0, 95, 135, 175, 215, 255] as const;
/** The ramp of greys behind it: 24 of them, from 8 on, 10 apart. */
const GREYS_START = 232;
const GREYS = Array.from({ length: 24 }, (_, index) => 8 + 10 * index);

/** The theme in the nearest of the 256 colours that nearly every terminal has. */
export function toIndexed({ name, colours }: Theme): Theme {
  return {
    name,
    colours: Object.fromEntries(
      Object.entries(colours).map(([token, parameters]) => [token, toIndexedParameters(parameters)]),
    ),
  };
}

function toIndexedParameters(parameters: string): string {
  const [, , red = 0, green = 0, blue = 0] = parameters.split(';').map(Number);
  const [r, g, b] = [nearest(CUBE_STEPS, red), nearest(CUBE_STEPS, green), nearest(CUBE_STEPS, blue)];
  const grey = nearest(GREYS, (red + green + blue) / 3);
  const inCube = distance([red, green, blue], [CUBE_STEPS[r] ?? 0, CUBE_STEPS[g] ?? 0, CUBE_STEPS[b] ?? 0]);
  const level = GREYS[grey] ?? 0;
  const isGrey = distance([red, green, blue], [level, level, level]) < inCube;
  return `38;5;${isGrey ? GREYS_START + grey : CUBE_START + 36 * r + 6 * g + b}`;
}

function nearest(values: readonly number[], wanted: number): number {
  const distances = values.map((value) => Math.abs(value - wanted));
  return distances.indexOf(Math.min(...distances));
}

function distance(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + (value - (other[index] ?? 0)) ** 2, 0);
}
