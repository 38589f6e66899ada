import { AgentError, TOOL_TABLE } from '@qwen/protocol';
import type { QueryOptions } from './options.js';

const CLAUDE_NAMES = new Set([...Object.values(TOOL_TABLE).map(({ claudeName }) => claudeName), 'MultiEdit', 'Task']);
const CLAUDE = [...CLAUDE_NAMES].join('|');
const OWN_NAME = new RegExp(`["'\`/|(](?:${Object.keys(TOOL_TABLE).join('|')})\\b`);
/** `name === 'Bash'`, `case 'Bash':`, `['Bash', 'Write'].includes(name)` and `/^(Bash|Write)$/.test(name)`. */
const COMPARISON = new RegExp(
  `(?:[=!]==?\\s*|\\bcase\\s*)["'\`](${CLAUDE})["'\`]|["'\`](${CLAUDE})["'\`](?:\\s*[=!]==?|[^\\]]*\\]\\s*\\.(?:includes|some)\\()|/\\^?\\(?(?:\\?:)?(${CLAUDE})\\b[^/\\n]*/[a-z]*\\.test\\(`,
);

/** Refuses guards that compare tool names of Claude Code but would receive ours, and so would recognize no call. */
export function checkGuards({ toolNames, canUseTool, hooks }: QueryOptions): void {
  if (toolNames !== undefined) return;
  if (canUseTool !== undefined) checkGuard('canUseTool', canUseTool);
  for (const event of ['PreToolUse', 'PermissionRequest'] as const) {
    for (const { matcher = '', hooks: callbacks } of hooks?.[event] ?? []) {
      // With a name in its matcher, a hook receives that name.
      if (new RegExp(`\\b(?:${CLAUDE})\\b`).test(matcher)) continue;
      for (const callback of callbacks) checkGuard(`hooks.${event}`, callback);
    }
  }
}

function checkGuard(option: string, guard: (...args: never) => unknown): void {
  const source = Function.prototype.toString.call(guard);
  const name = COMPARISON.exec(source)
    ?.slice(1)
    .find((found) => found !== undefined);
  if (name === undefined || OWN_NAME.test(source)) return;
  throw new AgentError(
    'invalid_options',
    `options.${option} compares tool names with ${name}, a name of Claude Code, but receives the names of qwen. ` +
      "Set toolNames to 'claude' to receive those of Claude Code, or to 'qwen' if the guard is right.",
  );
}
