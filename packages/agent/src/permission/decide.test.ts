import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { ANCHORS, edits, link, path, reads, ruleSet, runs, uses } from '../../test/calls.js';
import type { CallFacts } from './call-facts.js';
import { type Decision, decide } from './decide.js';
import { RuleSet } from './rule-set.js';
import type { PermissionRules } from './rules.js';

type Mode = 'default' | 'plan' | 'auto-edit' | 'yolo';
type Row = readonly [mode: Mode, rules: Partial<PermissionRules>, call: CallFacts, verdict: string];

const verdictOf = ({ behavior, decidedBy }: Decision) => `${behavior} ${decidedBy}`;

function wrong(rows: readonly Row[]): string[] {
  return rows.flatMap(([mode, rules, call, verdict]) => {
    const found = verdictOf(decide({ mode, rules: ruleSet(rules), call }));
    const what = JSON.stringify([mode, rules, call.toolName, call.command ?? call.paths.map((used) => used.path)]);
    return found === verdict ? [] : [`${what}: ${found} instead of ${verdict}`];
  });
}

const write = (name: string): CallFacts => ({ ...edits(name), toolName: 'write_file' });
const list = (name: string): CallFacts => ({ ...reads(name), toolName: 'list_directory' });
const fetches: CallFacts = { ...uses('web_fetch'), kind: 'network' };

describe('a command and the sandbox', () => {
  const placed = (place: 'inside' | 'outside') => (command: string) => ({ ...runs(command), confinement: { place } });
  const [inside, outside] = [placed('inside'), placed('outside')];

  test('inside, it needs no approval unless a rule or a guard requires it', () => {
    verifies('S119');
    expect(
      wrong([
        ['default', {}, inside('npm test'), 'allow sandbox'],
        ['auto-edit', {}, inside('rm -rf build; $X'), 'allow sandbox'],
        ['plan', {}, inside('npm test'), 'deny plan'],
        ['default', { deny: ['Bash(npm *)'] }, inside('npm test'), 'deny deny_rule'],
        ['default', { ask: ['Bash(npm *)'] }, inside('npm test'), 'ask ask_rule'],
        ['default', { deny: ['Read(.env)'] }, inside('python3 x.py; $X'), 'ask ask_rule'],
        ['default', {}, inside('cat /proc/1/environ'), 'deny secret'],
        ['default', {}, inside('cat id_rsa'), 'ask default'],
      ]),
    ).toEqual([]);
  });
  test('leaving it asks in every mode, whatever a rule allows', () => {
    verifies('S119');
    expect(
      wrong([
        ['default', {}, outside('ls'), 'ask sandbox'],
        ['yolo', {}, outside('ls'), 'ask sandbox'],
        ['yolo', { allow: ['Bash', '*'] }, outside('npm test'), 'ask sandbox'],
        ['yolo', { deny: ['Bash(npm *)'] }, outside('npm test'), 'deny deny_rule'],
      ]),
    ).toEqual([]);
  });
});

describe('the modes without rules', () => {
  test('default reads inside the workspace and asks for the rest', () => {
    verifies('M-48', 'M-51', 'M-60', 'CF-48');
    expect(
      wrong([
        ['default', {}, reads('a.ts'), 'allow read_only'],
        ['default', {}, reads('a.ts', 'deep/b.ts'), 'allow read_only'],
        ['default', {}, list('src'), 'allow read_only'],
        ['default', {}, { ...reads(), toolName: 'todo_write' }, 'allow read_only'],
        ['default', {}, reads('/etc/passwd'), 'ask default'],
        ['default', {}, reads('a.ts', '/etc/passwd'), 'ask default'],
        ['default', {}, edits('a.ts'), 'ask default'],
        ['default', {}, write('new.ts'), 'ask default'],
        ['default', {}, runs('ls'), 'allow read_only'],
        ['default', {}, fetches, 'ask default'],
        ['default', {}, uses('mcp__db__query'), 'ask default'],
      ]),
    ).toEqual([]);
  });

  test('plan allows only read-only work', () => {
    verifies('M-47', 'M-60');
    expect(
      wrong([
        ['plan', {}, reads('a.ts'), 'allow read_only'],
        ['plan', {}, reads('/etc/passwd'), 'ask default'],
        ['plan', {}, edits('a.ts'), 'deny plan'],
        ['plan', {}, runs('git status'), 'allow read_only'],
        ['plan', {}, runs('npm test'), 'deny plan'],
        ['plan', {}, fetches, 'ask default'],
        ['plan', {}, uses('mcp__db__query'), 'deny plan'],
      ]),
    ).toEqual([]);
  });

  test('auto-edit allows edits inside the workspace', () => {
    verifies('M-46', 'M-60');
    expect(
      wrong([
        ['auto-edit', {}, edits('a.ts'), 'allow auto-edit'],
        ['auto-edit', {}, write('deep/new.ts'), 'allow auto-edit'],
        ['auto-edit', {}, reads('a.ts'), 'allow read_only'],
        ['auto-edit', {}, edits('/etc/hosts'), 'ask default'],
        ['auto-edit', {}, edits('a.ts', '/etc/hosts'), 'ask default'],
        ['auto-edit', {}, edits(), 'ask default'],
        ['auto-edit', {}, runs('npm test'), 'ask default'],
        ['auto-edit', {}, uses('mcp__db__query'), 'ask default'],
      ]),
    ).toEqual([]);
  });

  test('yolo allows everything', () => {
    verifies('M-45', 'M-60');
    expect(
      wrong([
        ['yolo', {}, edits('/etc/hosts'), 'allow yolo'],
        ['yolo', {}, runs('rm -rf /'), 'allow yolo'],
        ['yolo', {}, uses('mcp__db__drop'), 'allow yolo'],
        ['yolo', {}, reads('/etc/shadow'), 'allow yolo'],
      ]),
    ).toEqual([]);
  });
});

describe('the order of the steps', () => {
  test('deny comes before ask, ask before the mode, the mode plan and yolo before allow', () => {
    verifies('M-44', 'CF-48');
    const all = { deny: ['Bash(npm publish)'], ask: ['Bash(npm *)'], allow: ['Bash'] };
    expect(
      wrong([
        ['default', all, runs('npm publish'), 'deny deny_rule'],
        ['yolo', all, runs('npm publish'), 'deny deny_rule'],
        ['default', all, runs('npm test'), 'ask ask_rule'],
        ['yolo', all, runs('npm test'), 'ask ask_rule'],
        ['plan', all, runs('npm test'), 'ask ask_rule'],
        ['default', all, runs('ls'), 'allow allow_rule'],
        ['plan', all, runs('make'), 'deny plan'],
        ['yolo', all, runs('ls'), 'allow yolo'],
        ['auto-edit', { deny: ['Edit(src/**)'] }, edits('src/a.ts'), 'deny deny_rule'],
        ['auto-edit', { ask: ['Edit'] }, edits('src/a.ts'), 'ask ask_rule'],
        ['default', { deny: ['Read'], allow: ['Read'] }, reads('a.ts'), 'deny deny_rule'],
        ['default', { deny: ['*'] }, reads('a.ts'), 'deny deny_rule'],
      ]),
    ).toEqual([]);
  });

  test('a decision names its rule and its reason', () => {
    const decision = decide({ mode: 'yolo', rules: ruleSet({ deny: ['Bash(rm:*)'] }), call: runs('rm -r x') });
    expect(decision).toEqual({
      behavior: 'deny',
      decidedBy: 'deny_rule',
      rule: 'Bash(rm:*)',
      reason: 'Rule Bash(rm:*) forbids it.',
      blockedPath: null,
    });
  });
});

describe('tools by name', () => {
  test('every alias of a tool matches the same rules', () => {
    const names = ['Bash', 'ShellTool', 'run_shell_command', 'bash', 'Shell'];
    for (const name of names)
      expect(wrong([['default', { allow: [`${name}(ls)`] }, runs('ls'), 'allow allow_rule']])).toEqual([]);
    expect(
      wrong([
        ['default', { deny: ['ReadFile'] }, reads('a'), 'deny deny_rule'],
        ['default', { deny: ['read_file'] }, reads('a'), 'deny deny_rule'],
        ['default', { allow: ['replace'] }, edits('a'), 'allow allow_rule'],
        ['default', { allow: ['edit_file'] }, edits('a'), 'allow allow_rule'],
        ['default', { allow: ['Write'] }, write('a'), 'allow allow_rule'],
        ['default', { allow: ['Edit'] }, write('a'), 'ask default'],
        ['default', { deny: ['LS'] }, list('a'), 'deny deny_rule'],
        ['default', { deny: ['search_file_content'] }, { ...reads('a'), toolName: 'grep_search' }, 'deny deny_rule'],
        ['default', { allow: ['Planner'] }, { ...uses('own_plan'), aliases: ['planner'] }, 'allow allow_rule'],
      ]),
    ).toEqual([]);
  });

  test('servers and their tools', () => {
    expect(
      wrong([
        ['default', { allow: ['mcp__db__query'] }, uses('mcp__db__query'), 'allow allow_rule'],
        ['default', { allow: ['mcp__db__query'] }, uses('mcp__db__query_all'), 'ask default'],
        ['default', { allow: ['mcp__db__*'] }, uses('mcp__db__drop'), 'allow allow_rule'],
        ['default', { allow: ['mcp__db'] }, uses('mcp__db__drop'), 'allow allow_rule'],
        ['default', { allow: ['mcp__db'] }, uses('mcp__db2__drop'), 'ask default'],
        ['yolo', { deny: ['mcp__db__*'] }, uses('mcp__db__query'), 'deny deny_rule'],
        ['yolo', { deny: ['mcp__*'] }, uses('mcp__db__query'), 'deny deny_rule'],
        // The meaning of the parentheses to a foreign tool is unknown: the rule may deny but not allow.
        ['yolo', { deny: ['mcp__db__query(drop)'] }, uses('mcp__db__query'), 'deny deny_rule'],
        ['default', { allow: ['mcp__db__query(select)'] }, uses('mcp__db__query'), 'ask default'],
      ]),
    ).toEqual([]);
  });

  test('an invalid rule is refused by name', () => {
    for (const text of ['', 'Bash(', '(x)', 'Bash()', 'Bash(:*)', 'a b', 'mcp__*__x', 'mcp__', 'mcp__db__']) {
      expect(() => ruleSet({ deny: [text] })).toThrow(expect.objectContaining({ code: 'usage' }));
    }
    const homeless = () => new RuleSet({ allow: ['Read(~/x)'], ask: [], deny: [] }, { root: '/w', realRoot: '/w' });
    expect(homeless).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

describe('paths', () => {
  test('anchors: the workspace, the file system, the home folder, any depth', () => {
    expect(
      wrong([
        ['default', { allow: ['Edit(/src/**)'] }, edits('src/a/b.ts'), 'allow allow_rule'],
        ['default', { allow: ['Edit(/src/**)'] }, edits('lib/src/b.ts'), 'ask default'],
        ['default', { allow: ['Edit(./src)'] }, edits('src/a/b.ts'), 'allow allow_rule'],
        ['default', { allow: ['Edit(src/*.ts)'] }, edits('src/b.ts'), 'allow allow_rule'],
        ['default', { allow: ['Edit(src/*.ts)'] }, edits('src/deep/b.ts'), 'ask default'],
        ['default', { allow: ['Edit(*.md)'] }, edits('docs/deep/x.md'), 'allow allow_rule'],
        ['default', { allow: ['Edit(*.md)'] }, edits('/etc/x.md'), 'ask default'],
        ['default', { allow: ['Edit(/src/**)'] }, edits('src/a.ts', 'b.ts'), 'ask default'],
        ['default', { allow: ['Read(//etc/hosts)'] }, reads('/etc/hosts'), 'allow allow_rule'],
        ['default', { allow: ['Read(//etc/**)'] }, reads('/etc/ssl/cert.pem'), 'allow allow_rule'],
        ['default', { allow: ['Read(/etc/**)'] }, reads('/etc/hosts'), 'ask default'],
        ['default', { allow: ['Read(~/notes/**)'] }, reads('/home/me/notes/a'), 'allow allow_rule'],
        ['default', { allow: ['Read(~/notes/**)'] }, reads('/home/me2/notes/a'), 'ask default'],
        ['default', { allow: ['Edit(/src/**)'] }, write('src/a.ts'), 'allow allow_rule'],
        ['default', { allow: ['Write(/src/**)'] }, edits('src/a.ts'), 'ask default'],
        ['yolo', { deny: ['Read(.env)'] }, reads('.env'), 'deny deny_rule'],
        ['yolo', { deny: ['Read(.env)'] }, reads('deep/.env'), 'deny deny_rule'],
        ['yolo', { deny: ['Read(.env)'] }, reads('/elsewhere/.env'), 'deny deny_rule'],
        ['yolo', { deny: ['Read(.env)'] }, reads('.envrc.example'), 'allow yolo'],
        ['yolo', { deny: ['Read(/secret)'] }, { ...reads('secret/deep'), toolName: 'glob' }, 'deny deny_rule'],
        ['yolo', { deny: ['Read(.env)'] }, reads('a.ts', '.env'), 'deny deny_rule'],
        ['yolo', { ask: ['Read(//etc/**)'] }, reads('/etc/hosts'), 'ask ask_rule'],
      ]),
    ).toEqual([]);
  });

  test('folders are compared by name, not by prefix', () => {
    verifies('S31');
    expect(
      wrong([
        ['default', { allow: ['Read(//w/app/**)'] }, reads('/w/app-evil/x'), 'ask default'],
        ['default', { allow: ['Edit(/src)'] }, edits('src-evil/x'), 'ask default'],
        ['default', { allow: ['Read(~/notes)'] }, reads('/home/me/notes-evil'), 'ask default'],
      ]),
    ).toEqual([]);
  });

  test('nothing in a path is expanded', () => {
    verifies('S32');
    expect(
      wrong([
        ['default', { allow: ['Read(~/notes/**)'] }, reads('~/notes/a'), 'allow read_only'],
        ['auto-edit', { deny: ['Edit(~/x)'] }, edits('~/x'), 'allow auto-edit'],
        ['default', { allow: ['Edit($HOME/**)'] }, edits('/home/me/x'), 'ask default'],
      ]),
    ).toEqual([]);
  });

  test('the real path of a link decides what is allowed, and either name is enough to forbid', () => {
    verifies('S33', 'S34');
    const linked = (target: string) => ({ ...reads(), paths: [link('doc/x', target)] });
    const linkedEdit = { ...edits(), paths: [link('out/new.txt', '/tmp/out/new.txt', 'write')] };
    expect(
      wrong([
        ['default', {}, linked('/etc/shadow'), 'ask default'],
        ['default', { allow: ['Read(doc/**)'] }, linked('/etc/shadow'), 'ask default'],
        ['yolo', { deny: ['Read(//etc/shadow)'] }, linked('/etc/shadow'), 'deny deny_rule'],
        ['yolo', { deny: ['Read(doc/x)'] }, linked('/etc/hosts'), 'deny deny_rule'],
        ['yolo', { deny: ['Read(doc/x)'] }, linked('/real/app/other'), 'deny deny_rule'],
        ['auto-edit', {}, linkedEdit, 'ask default'],
        ['auto-edit', { allow: ['Edit(out/**)'] }, linkedEdit, 'ask default'],
      ]),
    ).toEqual([]);
  });

  test('case and Unicode forms cannot bypass a deny rule', () => {
    verifies('S37');
    expect(
      wrong([
        ['yolo', { deny: ['Read(.env)'] }, reads('.ENV'), 'deny deny_rule'],
        ['yolo', { deny: ['Read(/Secret/**)'] }, reads('sEcret/x'), 'deny deny_rule'],
        ['yolo', { deny: ['Read(caf\u00e9.txt)'] }, reads('cafe\u0301.txt'), 'deny deny_rule'],
        ['default', { allow: ['Edit(/src/**)'] }, edits('SRC/a.ts'), 'ask default'],
      ]),
    ).toEqual([]);
  });

  test('the question names its target', () => {
    verifies('GAP-47');
    const blocked = (mode: Mode, call: CallFacts) => decide({ mode, rules: ruleSet({}), call }).blockedPath;
    expect(blocked('default', reads('a', '/etc/passwd'))).toBe('/etc/passwd');
    expect(blocked('auto-edit', edits('.git/config'))).toBe('/w/app/.git/config');
    expect(blocked('default', edits('a.ts'))).toBeNull();
    expect(blocked('default', runs('ls', path('/etc')))).toBe('/etc');
  });

  test('a working folder chosen by the model allows nothing more', () => {
    verifies('S41');
    expect(
      wrong([
        ['default', { allow: ['Bash(ls)'] }, runs('ls', path('src')), 'allow allow_rule'],
        ['default', { allow: ['Bash(ls)'] }, runs('ls', path('/')), 'ask default'],
        ['auto-edit', {}, edits('/w/other/x'), 'ask default'],
      ]),
    ).toEqual([]);
  });

  test('hidden files are those that a read rule forbids', () => {
    const rules = ruleSet({ deny: ['Read(.env)', 'Edit(*.lock)', 'Bash(rm:*)'] });
    expect(rules.hides('/real/app/deep/.env')).toBe(true);
    expect(rules.hides('/real/app/a.ts')).toBe(false);
    expect(rules.hides('/real/app/pnpm.lock')).toBe(false);
  });
});

describe('protected files', () => {
  test('ask in auto-edit at any depth, even before they exist', () => {
    verifies('S38');
    const names = (
      '.git/hooks/pre-commit .git/config sub/.git/hooks/post-checkout .qwen/settings.json ' +
      '.claude/settings.json .mcp.json sub/.mcp.json .envrc .vscode/tasks.json .npmrc .bashrc ' +
      '.husky/pre-push .gitmodules .cargo/config.toml sub/.CARGO/config .bazelrc .yarnrc.yml ' +
      '.yarn/releases/yarn.cjs .mvn/wrapper/maven-wrapper.properties ' +
      'gradle/wrapper/gradle-wrapper.properties .github/workflows/ci.yml .github//workflows/ci.yml ' +
      '.gitlab-ci.yml .circleci/config.yml .pre-commit-config.yaml lefthook.yml .helix/languages.toml sub/.hg/hgrc .jj/repo/config.toml'
    ).split(' ');
    for (const name of names) {
      expect(
        wrong([
          ['auto-edit', {}, write(name), 'ask default'],
          ['auto-edit', { allow: ['Write', 'Edit(/**)'] }, write(name), 'ask default'],
          ['default', {}, reads(name), 'allow read_only'],
        ]),
      ).toEqual([]);
    }
    expect(
      wrong([
        ['auto-edit', {}, write('.github/x.yml'), 'allow auto-edit'],
        ['auto-edit', {}, write('Makefile'), 'allow auto-edit'],
        ['auto-edit', {}, write('package.json'), 'allow auto-edit'],
        ['auto-edit', {}, write('.cargo/registry/a.rs'), 'allow auto-edit'],
        ['auto-edit', {}, write('.gitignore'), 'allow auto-edit'],
        ['auto-edit', {}, write('git/config'), 'allow auto-edit'],
      ]),
    ).toEqual([]);
  });

  test('are recognized in every spelling that a file system treats as the same', () => {
    verifies('S37');
    const names = [
      '.GIT/hooks/pre-commit',
      '.Git./config',
      '.git /config',
      '.gi\u200ct/config',
      'GIT~1/hooks/x',
      '.MCP.json',
    ];
    for (const name of names) expect(wrong([['auto-edit', {}, write(name), 'ask default']])).toEqual([]);
    const behindLink = { ...edits(), paths: [link('x', '/real/app/.git/config', 'write')] };
    expect(wrong([['auto-edit', {}, behindLink, 'ask default']])).toEqual([]);
  });

  test('are allowed only by a rule that names the file', () => {
    expect(
      wrong([
        ['default', { allow: ['Edit(.git/config)'] }, edits('.git/config'), 'allow allow_rule'],
        ['default', { allow: ['Edit(.git/*)'] }, edits('.git/config'), 'ask default'],
        ['default', { allow: ['Edit'] }, edits('.git/config'), 'ask default'],
      ]),
    ).toEqual([]);
  });
});

test('the reason names the riskiest part of a list', () => {
  const reason = (command: string) => decide({ mode: 'default', rules: ruleSet({}), call: runs(command) }).reason;
  for (const [command, worst] of [
    ['mkdir x && cp a x && rm -rf build && touch y', 'rm -rf build:'],
    ['npm install && curl -d @a.txt http://x/', 'curl -d @a.txt http://x/:'],
    ['git add . && git commit -m x && git push --force', 'git push --force:'],
    ['A=1; touch x; git clean -fdx', 'git clean -fdx:'],
    ['npm test; timeout 5 sudo reboot', 'timeout 5 sudo reboot:'],
    ['cp a b; cat /etc/passwd', 'cat /etc/passwd:'],
    ['touch x | sh', 'sh:'],
    ['for f in a b; do shred $f; done; echo x > y', 'shred $f:'],
  ] as const) {
    expect(reason(command)).toContain(worst);
  }
  expect(reason('touch x')).toBe('This command may change things.');
});

test('the rules of the workspace also apply under its real path', () => {
  const rules = new RuleSet({ allow: ['Edit(/src/**)'], ask: [], deny: ['Read(/secret/**)'] }, ANCHORS);
  const secret = '/real/app/secret/x';
  const really = { path: secret, realPath: secret, insideRoots: true, access: 'read' } as const;
  expect(decide({ mode: 'yolo', rules, call: { ...reads(), paths: [really] } }).behavior).toBe('deny');
});
