import { AgentError } from '@qwen/protocol';

const MAX_ALTERNATIVES = 256;

/** Writes `a{b,c}d` out as `abd` and `acd`, nested ones too. A brace without a partner or a comma stays as it is. */
export function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = firstGroup(next);
    if (group === undefined) done.push(next);
    else for (const choice of group.choices) open.push(group.before + choice + group.after);
    if (open.length + done.length > MAX_ALTERNATIVES) {
      throw new AgentError(
        'invalid_tool_input',
        `The braces of a glob pattern stand for over ${MAX_ALTERNATIVES} patterns.`,
      );
    }
  }
  return done;
}

function firstGroup(pattern: string) {
  for (let start = pattern.indexOf('{'); start !== -1; start = pattern.indexOf('{', start + 1)) {
    const choices: string[] = [];
    let depth = 0;
    let from = start + 1;
    for (let at = start; at < pattern.length; at += 1) {
      const character = pattern[at];
      if (character === '\\') at += 1;
      else if (character === '{') depth += 1;
      else if (character === ',' && depth === 1) {
        choices.push(pattern.slice(from, at));
        from = at + 1;
      } else if (character === '}') {
        depth -= 1;
        if (depth > 0) continue;
        if (choices.length === 0) break;
        choices.push(pattern.slice(from, at));
        return { before: pattern.slice(0, start), choices, after: pattern.slice(at + 1) };
      }
    }
  }
  return undefined;
}
