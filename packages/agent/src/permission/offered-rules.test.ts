import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ANCHORS, edits, path, reads, ruleSet, runs, uses } from '../../test/calls.js';
import type { CallFacts } from './call-facts.js';
import { decide } from './decide.js';
import { offeredRules } from './offered-rules.js';

const offered = (call: CallFacts) => offeredRules(call, ANCHORS);

test('a suggested rule matches exactly the shown call', () => {
  verifies('S24', 'S54');
  const rows: readonly (readonly [call: CallFacts, rules: readonly string[]])[] = [
    [runs('npm run build'), ['Bash(npm run build)']],
    [runs('npm run build && npm test'), ['Bash(npm run build)', 'Bash(npm test)']],
    [runs('ls && npm test | head -5'), ['Bash(npm test)']],
    [runs('git commit -m "a b"'), ["Bash(git commit -m 'a b')"]],
    [edits('src/a.ts'), ['Edit(/src/a.ts)']],
    [{ ...reads(), paths: [path('/etc/hosts')] }, ['Read(//etc/hosts)']],
    [uses('mcp__db__query'), ['mcp__db__query']],
    [{ ...uses('web_search'), kind: 'network' }, ['WebSearch']],
  ];
  for (const [call, rules] of rows) {
    expect(offered(call)).toEqual(rules);
    expect(decide({ mode: 'default', rules: ruleSet({ allow: rules }), call }).behavior).toBe('allow');
  }
  const allow = ['Bash(npm run build)'];
  expect(decide({ mode: 'default', rules: ruleSet({ allow }), call: runs('npm run build -- x') }).behavior).toBe('ask');
});

test('a suggestion never covers more than was shown or runs anything', () => {
  verifies('S24', 'S54');
  const commands = [
    'python3 x.py',
    'bash x.sh',
    'sudo ls',
    'node x.js',
    'npx cowsay',
    'env X=1 make',
    'rm *.o',
    'npm test && python3 x.py',
    'npm test > out.txt',
    'npm test $(cat x)',
    'git config core.hooksPath x',
    'git -c core.pager=x log',
    'find . -exec rm {} +',
    'X=$(y) npm test',
    'npm test "unclosed',
  ];
  expect(commands.filter((command) => offered(runs(command)).length > 0)).toEqual([]);
  const files = [
    edits('src/[id].ts'),
    edits('.git/config'),
    edits('a*.ts'),
    { ...reads(), paths: [path('/home/me/.ssh/id')] },
  ];
  expect(files.flatMap(offered)).toEqual([]);
  expect(offered({ ...uses('web_fetch'), kind: 'network' })).toEqual([]);
});
