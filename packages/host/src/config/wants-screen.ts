import { AgentError } from '@qwen/protocol';
import type { Flags } from '../flags/args.js';
import type { Environment } from './env.js';
import type { Surface } from './surface.js';

/** What decides whether a person gets the screen, beside the words of the prompt. */
export interface ScreenQuestion {
  readonly surface: Surface;
  readonly flags: Pick<Flags, 'prompt' | 'promptInteractive'>;
  /** What was said on the command line; empty where nothing was. */
  readonly saidPrompt: string;
  readonly environment: Environment;
  /** Both ends are terminals. */
  readonly isTerminal: boolean;
}

/**
 * Whether a run shows the screen of a terminal: text at both ends, a terminal there, and no prompt that is to be
 * answered once. Throws `usage` where the screen was asked for and cannot be shown, and where a terminal that can do
 * nothing got no prompt.
 */
export function wantsScreen({ surface, flags, saidPrompt, environment, isTerminal }: ScreenQuestion): boolean {
  const isAsked = flags.promptInteractive !== undefined;
  const isText = surface.input === 'text' && surface.output === 'text';
  if (isAsked && !(isText && isTerminal)) {
    throw new AgentError('usage', '--prompt-interactive needs a terminal and text at both ends');
  }
  if (isAsked && saidPrompt !== '') {
    throw new AgentError('usage', 'say the prompt once: with --prompt-interactive or as the words after qwen');
  }
  if (!isText || !isTerminal || saidPrompt !== '' || flags.prompt !== undefined) return false;
  if (environment.TERM !== 'dumb') return true;
  throw new AgentError('usage', 'this terminal (TERM=dumb) cannot show a screen: say qwen "what to do", or pipe it in');
}
