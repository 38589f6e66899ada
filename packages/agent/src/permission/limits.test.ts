import { expect, test } from 'vitest';
import { reads, ruleSet, runs } from '../../test/calls.js';
import { decide } from './decide.js';

const only = ['Bash(git *)', 'Bash(ls)', 'Read(/docs/**)'];

test.each([
  ['yolo', runs('git status && ls'), 'allow yolo'],
  ['yolo', runs('git status; npm test'), 'deny deny_rule'],
  ['yolo', runs('git log $(npm test)'), 'deny deny_rule'],
  ['yolo', runs('$X'), 'deny deny_rule'],
  ['default', runs('npm test'), 'deny deny_rule'],
  ['default', reads('docs/a.md'), 'allow read_only'],
  ['default', reads('src/a.ts'), 'deny deny_rule'],
  ['default', { ...reads('src'), toolName: 'list_directory' }, 'allow read_only'],
] as const)('in mode %s, the limits of its tool decide on %o: %s', (mode, call, verdict) => {
  const { behavior, decidedBy } = decide({ mode, rules: ruleSet({ only, allow: ['Bash'] }), call });
  expect(`${behavior} ${decidedBy}`).toBe(verdict);
});
