import type { TextLook } from '../dialects/text.js';
import type { Environment } from './env.js';

/** How text for this output looks: FORCE_COLOR decides, then NO_COLOR and a terminal that can do nothing, then what it is. */
export function lookOf(output: object, environment: Environment): Required<TextLook> {
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: terminal } = environment;
  const isTerminal = 'isTTY' in output && output.isTTY === true;
  if (force !== undefined) {
    const hasColours = force !== '0' && force !== 'false';
    return { hasColours, isScreen: isTerminal || hasColours };
  }
  return { hasColours: isTerminal && none === undefined && terminal !== 'dumb', isScreen: isTerminal };
}
