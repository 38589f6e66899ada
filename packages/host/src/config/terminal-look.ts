import { type Environment, readEnvironment } from './env.js';

/** What is at the other end of an output. */
export interface TextLook {
  /** Remarks are painted. Default false. */
  readonly hasColours?: boolean;
  /** A screen, which the words of the model must not steer. Default false: they are data and stay as they came. */
  readonly isScreen?: boolean;
}

/** Of each output. */
export type TextLooks = Partial<Record<'stdout' | 'stderr', TextLook>>;

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

/** The same for both outputs, in the environment of the process. */
export function looksOf({ stdout, stderr }: Record<'stdout' | 'stderr', object>): TextLooks {
  const environment = readEnvironment(process.env);
  return { stdout: lookOf(stdout, environment), stderr: lookOf(stderr, environment) };
}
