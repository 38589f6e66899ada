import { AgentError } from '@qwen/protocol';
import type { Flags } from '../flags/args.js';
import { isClaudeAgentSdk, isSdkChannel } from './channel.js';
import type { Environment } from './env.js';

export interface Surface {
  readonly input: 'lines' | 'text';
  readonly output: 'lines' | 'document' | 'text';
  readonly dialect: 'openai' | 'sdk';
  /** Answers are streamed in pieces. */
  readonly isChunked: boolean;
  /** No dialect was named: an `initialize` on the first line selects the SDK's. */
  readonly mayTurnSdk: boolean;
}

type SurfaceFlags = Pick<Flags, 'channel' | 'dialect' | 'inputFormat' | 'outputFormat'>;

/** Throws `usage` for contradicting flags. */
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
    if (input === 'lines')
      throw new AgentError('usage', '-o json needs text input; for --input-format stream-json, use -o stream-json');
    // Users of such programs expect the array of SDK messages.
    return { ...surface, output: 'document', dialect: flags.dialect ?? 'sdk' };
  }
  if (!isSdk && !isStream(flags.outputFormat)) return { ...surface, output: 'text' };
  return { ...surface, output: 'lines', mayTurnSdk: !isSdk && flags.dialect === undefined && input === 'lines' };
}

function isStream(format: string | undefined): boolean {
  return format === 'stream-json' || format === 'stream-chunk-json';
}

/** The dialect for a failed start, as far as invalid arguments show it. Undefined: no program reads lines. */
export function fatalDialect(argv: readonly string[], environment: Environment): Surface['dialect'] | undefined {
  const asksStream = argv.some((word) => /(?:^|=)stream-(?:chunk-)?json$/.test(word));
  const isSdk = argv.some((word, at) => /^--(?:channel|dialect)=(?:SDK|sdk)$/.test(word) || isSdkPair(argv, at));
  // Claude's SDK would pass the line on to the app as a message.
  if (!asksStream || isClaudeAgentSdk(environment)) return undefined;
  return isSdk || isSdkChannel({}, environment) ? 'sdk' : 'openai';
}

function isSdkPair(argv: readonly string[], at: number): boolean {
  return (argv[at] === '--channel' && argv[at + 1] === 'SDK') || (argv[at] === '--dialect' && argv[at + 1] === 'sdk');
}
