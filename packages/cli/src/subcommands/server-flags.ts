import { FLAGS, type FlagKey, type Flags } from '@qwen/host/flags/args.js';
import { parseArgs } from '@qwen/host/flags/parse-args.js';
import { AgentError } from '@qwen/protocol';

/** Flags that contradict a program with many sessions, whose prompts come from the client. */
const REFUSED: readonly FlagKey[] = [
  'version',
  'prompt',
  'promptInteractive',
  'inputFormat',
  'outputFormat',
  'dialect',
  'channel',
  'resume',
  'continue',
  'forkSession',
  'resumeSessionAt',
  'sessionId',
  'outputLastMessage',
  'trajectory',
  'record',
  'replay',
];

interface ServerFlagsOptions {
  /** Named in messages. */
  readonly command: string;
  readonly option: string;
  readonly printError: (text: string) => void;
}

/** The flags of qwen for a program whose client opens the sessions. Throws `usage`. */
export function readServerFlags(words: readonly string[], { command, option, printError }: ServerFlagsOptions): Flags {
  const { flags, words: others, unknown, notes } = parseArgs(words);
  for (const note of notes) printError(note);
  const [first] = [...unknown, ...others];
  if (first !== undefined) {
    throw new AgentError('usage', `${command} does not take "${first}": prompts come from the client`);
  }
  const refused = REFUSED.find((key) => flags[key] !== undefined);
  if (refused === undefined) return flags;
  throw new AgentError('usage', `--${FLAGS[refused].name} cannot be used with ${option}: the client opens sessions`);
}
