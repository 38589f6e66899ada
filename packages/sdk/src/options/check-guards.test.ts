import { expect, test } from 'vitest';
import type { CanUseTool } from '../callbacks/can-use-tool.js';
import { checkOptions } from './check-options.js';
import type { QueryOptions } from './options.js';

const allow = { behavior: 'allow' } as const;
const deny = { behavior: 'deny', message: 'no' } as const;
const list = ['Bash'];
const FOREIGN: readonly CanUseTool[] = [
  (name) => (name === 'Bash' ? deny : allow),
  (name) => ('Write' !== name ? allow : deny),
  (name) => (['Edit', 'MultiEdit'].includes(name) ? deny : allow),
  (name) => (/^(?:Bash|Write)$/.test(name) ? deny : allow),
  function guard(name) {
    switch (name) {
      case 'Bash':
        return deny;
      default:
        return allow;
    }
  },
];
const OTHERS: readonly CanUseTool[] = [
  (name) => (name === 'run_shell_command' || name === 'Bash' ? deny : allow),
  (name) => (name === 'mcp__db__query' ? deny : allow),
  () => ({
    ...allow,
    updatedPermissions: [{ type: 'addRules', rules: ['Edit'], behavior: 'allow', destination: 'session' }],
  }),
  // What a guard reads from elsewhere cannot be seen.
  (name) => (list.includes(name) ? deny : allow),
];

test('a guard that compares names it would never receive is refused', () => {
  for (const canUseTool of FOREIGN) {
    expect(() => checkOptions({ canUseTool })).toThrow(
      /canUseTool compares tool names with (?:Bash|Write|Edit), a name/,
    );
    expect(checkOptions({ canUseTool, toolNames: 'qwen' })).toMatchObject({ toolNames: 'qwen' });
    // An option of the Claude Agent SDK selects its names.
    expect(checkOptions({ canUseTool, disallowedTools: [] })).toMatchObject({ toolNames: 'claude' });
  }
  for (const canUseTool of OTHERS) expect(checkOptions({ canUseTool })).toEqual({ canUseTool });
});

test('a hook is refused unless its matcher chooses the names', () => {
  const hooks = (matcher?: string): QueryOptions => ({
    hooks: {
      PreToolUse: [
        {
          ...(matcher !== undefined && { matcher }),
          hooks: [({ tool_name: name }) => (name === 'Bash' ? { decision: 'block', reason: 'no' } : {})],
        },
      ],
    },
  });
  for (const matcher of [undefined, '', '*', '.*', 'run_shell_command']) {
    expect(() => checkOptions(hooks(matcher))).toThrow('options.hooks.PreToolUse compares tool names with Bash');
  }
  expect(() => checkOptions(hooks('Bash|Write'))).not.toThrow();
});
