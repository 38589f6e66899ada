import { AgentError } from '@qwen/protocol';

/** Says whether one of these names fits. */
export type NameMatcher = (names: readonly string[]) => boolean;

const MAX_PATTERN_LENGTH = 500;
/** Of 60,000 random patterns the worst that three allow took some tens of milliseconds, with four half a second. */
const MAX_REPEATS = 3;
/** A longer name fits every matcher: what a server calls its tool must neither slow a match down nor slip past a guard. */
const MAX_NAME_LENGTH = 128;

/**
 * Compiles the matcher of a hook: a regular expression that a whole name must fit, such as `Edit|Write` or
 * `mcp__github__.*`. Missing, empty and `*` fit everything. Throws `invalid_payload` for what is no regular expression
 * and for one that may take for ever: repetition inside of a repeated group, alternatives in one, references back and
 * looks around.
 */
export function compileMatcher(pattern: string | undefined): NameMatcher {
  if (pattern === undefined || pattern === '' || pattern === '*') return () => true;
  if (pattern.length > MAX_PATTERN_LENGTH) throw refused(`it is longer than ${MAX_PATTERN_LENGTH} characters`);
  checkRepetition(pattern);
  const expression = compile(pattern);
  return (names) => names.some((name) => name.length > MAX_NAME_LENGTH || expression.test(name));
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(`^(?:${pattern})$`);
  } catch {
    throw refused('it is not a regular expression');
  }
}

/** One unit of a pattern: an escape, a class of characters, the beginning of a group, a repetition, any other character. */
const UNIT = /\\[1-9k]|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|[^()=!:>]*[:>]))?|\{\d+(?:,\d*)?\}|./gs;
const REFERENCE_OR_LOOK = /^(?:\\[1-9k]|\(\?<?[=!])/;
const REPEAT = /^(?:[*+?]|\{\d.*)$/;

/** Where no risky group is repeated, matching takes a low power of the length of a name, not an exponent. */
function checkRepetition(pattern: string): void {
  // For the pattern and each open group: whether it holds what multiplies the ways to match it.
  const isRisky = [false];
  let wasRiskyGroup = false;
  let repeats = 0;
  for (const [unit] of pattern.matchAll(UNIT)) {
    if (REFERENCE_OR_LOOK.test(unit)) throw refused('references and looks around are not allowed');
    const isRepeat = REPEAT.test(unit);
    if (isRepeat) repeats += 1;
    if (isRepeat && wasRiskyGroup) throw refused('a repeated group must not hold repetition or alternatives');
    if (repeats > MAX_REPEATS) throw refused(`it repeats more than ${MAX_REPEATS} times`);
    wasRiskyGroup = unit === ')' && isRisky.pop() === true;
    if (unit.startsWith('(')) isRisky.push(false);
    if (isRepeat || unit === '|' || wasRiskyGroup) isRisky[isRisky.length - 1] = true;
  }
}

function refused(problem: string): AgentError {
  return new AgentError('invalid_payload', `the matcher cannot be used: ${problem}`);
}
