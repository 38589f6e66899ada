import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { buildSystemPrompt } from './system-prompt.js';

const ENVIRONMENT = { cwd: '/w/app', platform: 'linux', date: '2030-01-01' };

test('the prompt is small, and the same in the same environment', () => {
  const prompt = buildSystemPrompt(ENVIRONMENT);
  expect(Buffer.byteLength(prompt)).toBeLessThan(2_500);
  expect(buildSystemPrompt({ ...ENVIRONMENT })).toBe(prompt);
  expect(prompt.endsWith('Workspace: /w/app\nSystem: linux\nDate: 2030-01-01')).toBe(true);
});

test('further folders of the workspace are listed', () => {
  verifies('Q-38');
  expect(buildSystemPrompt({ ...ENVIRONMENT, additionalRoots: ['/w/lib', '/w/docs'] })).toContain(
    'Workspace: /w/app\nAlso part of the workspace: /w/lib\nAlso part of the workspace: /w/docs\nSystem: linux',
  );
});

test('project instructions follow the built-in text, and those of the app are last', () => {
  const prompt = buildSystemPrompt({ ...ENVIRONMENT, projectInstructions: 'use tabs', append: 'be brief' });
  expect(prompt.startsWith(buildSystemPrompt(ENVIRONMENT))).toBe(true);
  expect(prompt.slice(buildSystemPrompt(ENVIRONMENT).length)).toMatch(/use tabs\n\nbe brief$/);
  expect(buildSystemPrompt({ ...ENVIRONMENT, projectInstructions: '' })).toBe(buildSystemPrompt(ENVIRONMENT));
});
