import { expect, test } from 'vitest';
import { ANCHORS, ruleSet, uses } from '../../test/calls.js';
import type { CallFacts } from './call-facts.js';
import { decide } from './decide.js';
import { offeredRules } from './offered-rules.js';
import type { PermissionRules } from './rules.js';

const fetches = (host: string): CallFacts => ({ ...uses('web_fetch'), aliases: ['WebFetch'], kind: 'network', host });

function verdict(host: string, rules: Partial<PermissionRules>, mode: 'default' | 'plan' | 'yolo' = 'default') {
  const { behavior, decidedBy } = decide({ mode, rules: ruleSet(rules), call: fetches(host) });
  return `${behavior} ${decidedBy}`;
}

test.each([
  ['example.com', 'WebFetch(domain:example.com)', true],
  ['example.com', 'web_fetch(domain: EXAMPLE.com.)', true],
  ['example.com', 'WebFetch', true],
  ['a.b.example.com', 'WebFetch(domain:*.example.com)', true],
  ['xn--bcher-kva.example', 'WebFetch(domain:b\u00fccher.example)', true],
  ['127.0.0.1', 'WebFetch(domain:2130706433)', true],
  ['anything.org', 'WebFetch(domain:*)', true],
  ['www.example.com', 'WebFetch(domain:example.com)', false],
  ['example.com', 'WebFetch(domain:*.example.com)', false],
  ['evilexample.com', 'WebFetch(domain:*.example.com)', false],
  ['10.0.0.1', 'WebFetch(domain:*.0.0.1)', false],
  ['example.com', 'Bash(domain:example.com)', false],
])('%s with the rule %s', (host, rule, isMatch) => {
  expect(verdict(host, { allow: [rule] })).toBe(isMatch ? 'allow allow_rule' : 'ask default');
  expect(verdict(host, { deny: [rule] }, 'yolo')).toBe(isMatch ? 'deny deny_rule' : 'allow yolo');
});

test('another specifier allows nothing and denies everything', () => {
  for (const rule of ['WebFetch(https://example.com/*)', 'WebFetch(domain:a b)', 'WebFetch(domain:example.com/x)']) {
    expect(verdict('example.com', { allow: [rule] })).toBe('ask default');
    expect(verdict('example.org', { deny: [rule] }, 'yolo')).toBe('deny deny_rule');
  }
});

test('plan mode asks, and a rule allows it there too', () => {
  expect(verdict('example.com', {}, 'plan')).toBe('ask default');
  expect(verdict('example.com', { allow: ['WebFetch(domain:example.com)'] }, 'plan')).toBe('allow allow_rule');
});

test('the question shows the host and offers a rule for it', () => {
  expect(decide({ mode: 'default', rules: ruleSet({}), call: fetches('example.com') }).reason).toBe(
    'Connects to example.com.',
  );
  expect(offeredRules(fetches('example.com'), ANCHORS)).toEqual(['WebFetch(domain:example.com)']);
});

test('only an allow rule with the full name names a host', () => {
  const rules = ruleSet({ allow: ['WebFetch', '*', 'WebFetch(domain:*)', 'WebFetch(domain:*.localhost)'] });
  expect(rules.namesHost('a.localhost')).toBe(false);
  expect(ruleSet({ ask: ['WebFetch(domain:localhost)'] }).namesHost('localhost')).toBe(false);
  expect(ruleSet({ allow: ['WebFetch(domain:localhost)'] }).namesHost('localhost')).toBe(true);
});
