import { AgentError } from '@qwen/protocol';
import type { Flags } from '../flags/args.js';
import { isSdkChannel } from './channel.js';
import type { Environment } from './env.js';

/** How a run talks to whoever started it. */
export interface Surface {
  /** `lines`: one JSON object each; `text`: what a person would type. Said by `--input-format` alone. */
  readonly input: 'lines' | 'text';
  readonly output: 'lines' | 'document' | 'text';
  readonly dialect: 'openai' | 'sdk';
  /** Answers come in pieces. */
  readonly isChunked: boolean;
  /** Nobody named a dialect: an `initialize` in the first line makes it the one of the SDK (CF-02). */
  readonly mayTurnSdk: boolean;
}

type SurfaceFlags = Pick<Flags, 'channel' | 'dialect' | 'inputFormat' | 'outputFormat'>;

/** Reads the flags that say how to talk (A-01 … A-07, CF-02, CF-04, CF-05). Throws `usage` for what does not go together. */
export function chooseSurface(flags: SurfaceFlags, environment: Environment): Surface {
  const isSdk = isSdkChannel(flags, environment);
  const isChunked = flags.outputFormat === 'stream-chunk-json';
  const input = isSdk || isStream(flags.inputFormat) ? 'lines' : 'text';
  const surface = {
    input,
    dialect: flags.dialect ?? (isSdk ? 'sdk' : 'openai'),
    isChunked,
    mayTurnSdk: false,
  } as const;
  if (flags.outputFormat === 'json') {
    if (input === 'lines') throw new AgentError('usage', 'structured mode writes lines: -o stream-json');
    // The array of the sdk's messages is what users of such programs expect.
    return { ...surface, output: 'document', dialect: flags.dialect ?? 'sdk' };
  }
  if (!isSdk && !isStream(flags.outputFormat)) return { ...surface, output: 'text' };
  return { ...surface, output: 'lines', mayTurnSdk: !isSdk && flags.dialect === undefined && input === 'lines' };
}

function isStream(format: string | undefined): boolean {
  return format === 'stream-json' || format === 'stream-chunk-json';
}

/** Whether the words of a start ask for lines of the openai dialect, as far as that can be told of words that do not parse. */
export function wantsOpenAiLines(argv: readonly string[], environment: Environment): boolean {
  const asksStream = argv.some((word) => /(?:^|=)stream-(?:chunk-)?json$/.test(word));
  const isSdk = argv.some((word, at) => /^--(?:channel|dialect)=(?:SDK|sdk)$/.test(word) || isSdkPair(argv, at));
  return asksStream && !isSdk && !isSdkChannel({}, environment);
}

function isSdkPair(argv: readonly string[], at: number): boolean {
  return (argv[at] === '--channel' && argv[at + 1] === 'SDK') || (argv[at] === '--dialect' && argv[at + 1] === 'sdk');
}
