import { THEME_TOKENS } from '@qwen/protocol/openai';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { channelsOf, PALETTES, THEMES_BY_NAME } from './themes.js';

/** How bright a colour is to the eye, 0 to 1 (WCAG 2). */
function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

test.each(Object.entries(PALETTES.dark))('dark: %s can be read on black and on a dark grey', (_, colour) => {
  expect(contrast(colour, '#000000')).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colour, '#1e1e1e')).toBeGreaterThanOrEqual(4.5);
});

test.each(Object.entries(PALETTES.light))('light: %s can be read on white', (_, colour) => {
  expect(contrast(colour, '#ffffff')).toBeGreaterThanOrEqual(4.5);
});

test('every colored theme defines each token except the foreground', () => {
  verifies('D-10');
  const painted = THEME_TOKENS.filter((token) => token !== 'Foreground');
  for (const name of ['dark', 'light', 'ansi'] as const) {
    expect(Object.keys(THEMES_BY_NAME[name].colours).toSorted()).toEqual(painted.toSorted());
  }
  expect(THEMES_BY_NAME.none.colours).toEqual({});
});
