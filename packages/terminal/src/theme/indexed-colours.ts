import type { Theme } from './theme.js';

export const CUBE_START = 16;
export const CUBE_STEPS = [0, 95, 135, 175, 215, 255] as const;
/** The grey ramp after it: 24 values from 8, in steps of 10. */
const GREYS_START = 232;
const GREYS = Array.from({ length: 24 }, (_, index) => 8 + 10 * index);

export function toIndexed({ name, colours }: Theme): Theme {
  return {
    name,
    colours: Object.fromEntries(
      Object.entries(colours).map(([token, parameters]) => [token, toIndexedParameters(parameters)]),
    ),
  };
}

export function toIndexedParameters(parameters: string): string {
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
