import { AgentError } from '@qwen/protocol';
import type { Flags } from '../flags/args.js';
import type { Environment } from './env.js';
import type { Surface } from './surface.js';

export interface ScreenQuestion {
  readonly surface: Surface;
  readonly flags: Pick<Flags, 'prompt' | 'promptInteractive'>;
  /** Empty without a prompt. */
  readonly promptText: string;
  readonly environment: Environment;
  readonly isTerminal: boolean;
}

export function wantsScreen({ surface, flags, promptText, environment, isTerminal }: ScreenQuestion): boolean {
  const isAsked = flags.promptInteractive !== undefined;
  const isText = surface.input === 'text' && surface.output === 'text';
  if (isAsked && !(isText && isTerminal)) {
    throw new AgentError('usage', '--prompt-interactive needs a terminal and the text formats for input and output');
  }
  if (isAsked && promptText !== '') {
    throw new AgentError('usage', 'pass the prompt once: with --prompt-interactive or as an argument');
  }
  if (!isText || !isTerminal || promptText !== '' || flags.prompt !== undefined) return false;
  if (environment.TERM !== 'dumb') return true;
  throw new AgentError(
    'usage',
    'this terminal (TERM=dumb) cannot show the terminal UI. Run qwen "your prompt", or pipe the prompt in',
  );
}
