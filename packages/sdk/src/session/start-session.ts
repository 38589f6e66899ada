import { openQueryTrace } from '../telemetry/open-query-trace.js';
import { createTransport } from '../transport/create-transport.js';
import { toArguments } from '../transport/spawn-args.js';
import { warnOfShadowing } from '../warn-of-shadowing.js';
import { type CheckedSessionOptions, checkSessionOptions } from './check-session-options.js';
import { QwenSession } from './qwen-session.js';
import { SessionCore } from './session-core.js';
import type { SessionOptions } from './session-options.js';

/** Starts the CLI of a session; see `openSession()`, which loads this. */
export async function startSession(options: SessionOptions): Promise<QwenSession> {
  const checked = checkSessionOptions(options);
  warnOfShadowing(checked.launch);
  const flags = toArguments(checked.launch, dialectFlags(checked));
  const trace = openQueryTrace('qwen.session');
  trace?.begin();
  const core = new SessionCore({
    options: checked,
    createTransport: () => createTransport(checked.launch, flags, () => trace?.tell()),
    trace,
  });
  await core.open();
  return new QwenSession(core);
}

/** What chooses the machine mode, the openai dialect and the form of its lines. */
function dialectFlags({ format, strictProtocol }: CheckedSessionOptions): string[] {
  return [
    '--input-format=stream-json',
    `--output-format=${format === 'chunk' ? 'stream-chunk-json' : 'stream-json'}`,
    '--dialect=openai',
    ...(strictProtocol ? ['--strict-protocol'] : []),
  ];
}
