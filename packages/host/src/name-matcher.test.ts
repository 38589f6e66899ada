import { describe, expect, test } from 'vitest';
import { checkMatcher, compileMatcher, unmatchedIn } from './name-matcher.js';

test.each([undefined, '', '*'])('%s matches every name', (pattern) => {
  expect(compileMatcher(pattern)(['run_shell_command'])).toBe('run_shell_command');
});

test.each([
  ['Edit|Write', ['edit', 'Edit'], true],
  ['Edit|Write', ['WriteAll'], false],
  ['Write', ['write_file', 'Write'], true],
  ['mcp__github__.*', ['mcp__github__search'], true],
  ['mcp__github__.*', ['mcp__gitlab__search'], false],
  ['Edit|Write|mcp__.*__(?:write|delete)_[a-z]+', ['mcp__x__delete_all'], true],
  ['file\\.read', ['fileXread'], false],
  ['[(]a+[)*]', ['(aaa)'], true],
  ['.*', [], false],
])('%s and %j: %s', (pattern, names, fits) => {
  expect(compileMatcher(pattern)(names) !== undefined).toBe(fits);
});

test('a name too long to test matches, so a guard cannot be bypassed', () => {
  expect(compileMatcher('mcp__safe__.*')([`mcp__other__${'x'.repeat(200)}`])).toBeDefined();
});

describe('is refused', () => {
  test.each(['Bash(touch *)', 'Bash(rm:.*)', 'Read(.env)', 'write_file(/src)'])('a rule: %s', (pattern) => {
    for (const vocabulary of ['qwen', 'claude'] as const) {
      expect(() => compileMatcher(pattern, vocabulary)).toThrow(/^invalid matcher: a matcher only sees names; match /);
    }
  });

  test.each(['run_*', 'mcp__db__*', 'mcp__db__*|Edit', '(Edit|Bash*)'])('a file name pattern: %s', (pattern) => {
    expect(() => compileMatcher(pattern)).toThrow('invalid matcher: write .* for any text');
    expect(compileMatcher(pattern, 'claude')(['run_x', 'mcp__db__drop', 'Bash'])).toBeDefined();
  });

  test.each(['mcp__\\w*', 'Read(.*)', 'Bash(?:Output)?', 'Bash(Output)', '(Edit|Write)', 'my_(.*)', '[a-z]*'])(
    'no expression that resembles one: %s',
    (pattern) => {
      expect(compileMatcher(pattern)).toBeTypeOf('function');
    },
  );

  test.each(['/Write/', '/Write/i', '!Read', 'Write.* | Edit.*', 'Write.*,Edit', 'Bash:rm.*', '|', ' , '])(
    'what matches no tool: %s',
    (pattern) => {
      for (const vocabulary of ['qwen', 'claude'] as const) {
        expect(() => compileMatcher(pattern, vocabulary)).toThrow(
          /^invalid matcher: (?:no tool has|it contains no tool name)/,
        );
      }
    },
  );

  test.each(['(', 'a{2}**', '[z-a]'])('an invalid regular expression: %s', (pattern) => {
    expect(() => compileMatcher(pattern)).toThrow(expect.objectContaining({ code: 'invalid_payload' }));
  });

  test.each([
    '(a+)+b',
    '(a|a)*b',
    '((a|b)c)+',
    '(?:a*)*',
    '(?<name>a?){9}b',
    '(([a-z]+_)+x)',
    '(a)\\1',
    '(?=a)a',
    '(?<!a)b',
    '.*.*.*.*x',
    '\\w{2,}a+a+(?:a){1,50}',
    'a'.repeat(501),
  ])('what may match for ever: %s', (pattern) => {
    expect(() => compileMatcher(pattern)).toThrow(expect.objectContaining({ code: 'invalid_payload' }));
  });
});

test.each([
  ['Write, Edit', ['edit', 'Edit'], 'Edit'],
  ['Write | Edit', ['Edit'], 'Edit'],
  ['mcp__brave-search__query', ['mcp__brave-search__query'], 'mcp__brave-search__query'],
  ['Edit', ['Edits'], undefined],
])('%s is a list of names', (pattern, names, name) => {
  expect(compileMatcher(pattern)(names)).toBe(name);
});

describe.each(['qwen', 'claude'] as const)('in the vocabulary %s', (vocabulary) => {
  const match = (pattern: string, ...names: string[]) => compileMatcher(pattern, vocabulary)(names);

  test.each([
    ['mcp__.*__write', 'mcp__files__write_file'],
    ['__write$', 'mcp__files__write'],
    ['delete.*|remove.*', 'mcp__db__delete_rows'],
    ['^run_.', 'run_shell_command'],
  ])('the expression %s matches anywhere in %s', (pattern, name) => {
    expect(match(pattern, name)).toBe(name);
  });

  test('an expression for one server is not matched by a tool of another', () => {
    for (const name of ['mcp__evil__mcp__safe__read', 'mcp__evil__x-mcp__safe__read']) {
      expect(match('mcp__safe__.*', name)).toBeUndefined();
      expect(match('^(?:mcp__safe__.*)', name)).toBeUndefined();
    }
  });

  test('a server in a list stands for its tools', () => {
    expect(match('mcp__github|Edit', 'mcp__github__push')).toBe('mcp__github__push');
    expect(match('mcp__git', 'mcp__github__push')).toBeUndefined();
  });

  test('the complete name wins over a longer one', () => {
    expect(match('Edit|Write.', 'edit', 'NotebookEdit', 'Edit')).toBe('Edit');
    expect(match('Edit', 'NotebookEdit')).toBeUndefined();
  });
});

test('a part of the name of a built-in tool matches it, but no other names', () => {
  expect(compileMatcher('run_shell')(['run_shell_command', 'Bash'])).toBe('run_shell_command');
  expect(compileMatcher('write_')(['write_file', 'Write'])).toBe('write_file');
  expect(compileMatcher('review')(['code-review'])).toBeUndefined();
});

test.each(['Write|Edti', 'Bsah', 'Edit, Wriet', '^(?:Bash|Wrte)$', '(Raed|Edit)', 'run_shel_command'])(
  'a mistyped name is refused: %s',
  (pattern) => {
    for (const vocabulary of ['qwen', 'claude'] as const) {
      expect(() => checkMatcher('PreToolUse', pattern, vocabulary)).toThrow(/there is no built-in tool "\w+"; did you/);
    }
    expect(() => checkMatcher('SubagentStop', pattern)).not.toThrow();
  },
);

test.each([
  'Write|Edit|MultiEdit|NotebookEdit',
  'write_|shell',
  'mcp__edti|mcp__s__raed',
  'Bash|mcp__.*__wriet',
  '^(Writ|Edi)',
  'TodoRead|BashOutput|KillBash|LS',
  'deploy|my_tool',
  '*',
])('names of other tools and parts of names are accepted: %s', (pattern) => {
  expect(() => checkMatcher('PreToolUse', pattern)).not.toThrow();
});

test('a guard that no tool can start is reported, unless it names tools of servers or of other agents', () => {
  for (const matcher of ['deploy|my_tool', 'Bsh.*', '^(?:Exec|Writ)ing$']) {
    expect(unmatchedIn('PreToolUse', matcher)).toMatch(/matches no built-in tool/);
  }
  expect(unmatchedIn('PreToolUse', 'Bash|my_tool')).toContain('"my_tool"');
  expect(unmatchedIn('PreToolUse', 'my_tool|mcp__db')).toContain('"my_tool"');
  const fine = ['', '*', '.*', 'Bash|Write', '^(Writ|Edi)', 'shell', 'NotebookEdit', 'Bash|mcp__.*__write', 'mcp__db'];
  expect(fine.filter((matcher) => unmatchedIn('PreToolUse', matcher) !== undefined)).toEqual([]);
  expect(unmatchedIn('SessionStart', 'startup')).toBeUndefined();
});
