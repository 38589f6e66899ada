import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ruleSet, runs } from '../../test/calls.js';
import { decide } from './decide.js';

const allowing = (rule: string, command: string) =>
  decide({ mode: 'default', rules: ruleSet({ allow: [rule] }), call: runs(command) }).behavior;

const RULE = 'Bash(curl https://example.com:*)';

test('a rule with an address matches exactly that text, and no look-alike', () => {
  verifies('S23');
  const addresses = [
    'https://example.com.evil.test',
    'https://example.com@evil.test',
    'https://example.com%00.evil.test',
    'https://example.com:80@evil.test/',
    'https://EXAMPLE.COM.',
    'https://example.com./',
    'https://evil-example.com',
    'http://example.com',
    'https://xn--exmple-cua.com',
    'http://0x7f.1',
    '-L https://example.com',
  ];
  expect(addresses.filter((address) => allowing(RULE, `curl ${address}`) !== 'ask')).toEqual([]);
  expect(allowing(RULE, 'curl https://example.com')).toBe('allow');
});

test('no program that sends data runs without asking', () => {
  verifies('S22', 'S23');
  const commands = ['curl http://a.test', 'wget a.test', 'ping a.test', 'nslookup a.test', 'git push', 'npm publish'];
  const call = (command: string) => decide({ mode: 'default', rules: ruleSet({}), call: runs(command) }).behavior;
  expect(commands.map(call)).toEqual(commands.map(() => 'ask'));
  expect(call('pwd')).toBe('allow');
});
