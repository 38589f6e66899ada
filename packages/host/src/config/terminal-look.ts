import { type Environment, readEnvironment } from './env.js';

export interface TextLook {
  /** Notices are coloured. Default false. */
  readonly hasColours?: boolean;
  /** A screen: control characters of the model are escaped. Default false: output is data and stays unchanged. */
  readonly isScreen?: boolean;
}

export type TextLooks = Partial<Record<'stdout' | 'stderr', TextLook>>;

/** The look of an output: FORCE_COLOR, then NO_COLOR and dumb terminals, then the device. */
export function lookOf(output: object, environment: Environment): Required<TextLook> {
  const { FORCE_COLOR: force, NO_COLOR: none, TERM: terminal } = environment;
  const isTerminal = 'isTTY' in output && output.isTTY === true;
  if (force !== undefined) {
    const hasColours = force !== '0' && force !== 'false';
    return { hasColours, isScreen: isTerminal || hasColours };
  }
  return { hasColours: isTerminal && none === undefined && terminal !== 'dumb', isScreen: isTerminal };
}

export function looksOf({ stdout, stderr }: Record<'stdout' | 'stderr', object>): TextLooks {
  const environment = readEnvironment(process.env);
  return { stdout: lookOf(stdout, environment), stderr: lookOf(stderr, environment) };
}
