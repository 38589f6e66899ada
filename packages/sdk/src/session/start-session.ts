import { warnOfUnusedCallback } from '../options/check-options.js';
import { openQueryTrace } from '../telemetry/open-query-trace.js';
import { createTransport } from '../transport/create-transport.js';
import { toArguments } from '../transport/spawn-args.js';
import { type CheckedSessionOptions, checkSessionOptions } from './check-session-options.js';
import { QwenSession } from './qwen-session.js';
import { SessionCore } from './session-core.js';
import type { SessionOptions } from './session-options.js';

export async function startSession(options: SessionOptions): Promise<QwenSession> {
  const checked = checkSessionOptions(options);
  warnOfUnusedCallback(checked.launch);
  const flags = toArguments(checked.launch, dialectFlags(checked));
  const trace = openQueryTrace('qwen.session');
  trace?.begin();
  const core = new SessionCore({
    options: checked,
    createTransport: () => createTransport(checked.launch, flags, () => trace?.forChild()),
    trace,
  });
  await core.open();
  return new QwenSession(core);
}

function dialectFlags({ format, strictProtocol }: CheckedSessionOptions): string[] {
  return [
    '--input-format=stream-json',
    `--output-format=${format === 'chunk' ? 'stream-chunk-json' : 'stream-json'}`,
    '--dialect=openai',
    ...(strictProtocol ? ['--strict-protocol'] : []),
  ];
}
