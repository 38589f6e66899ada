import { checkOptions } from './check-options.js';
import type { QueryOptions } from './options.js';
import { Query } from './query.js';
import { createSessionId } from './session-id.js';
import { openQueryTrace } from './telemetry/open-query-trace.js';
import { createTransport } from './transport/create-transport.js';
import { forks, toArguments } from './transport/spawn-args.js';
import { warnOfShadowing } from './warn-of-shadowing.js';

/** Makes a query that is not started yet. Throws `invalid_options` and `cli_not_found`. */
export function prepareQuery<Output>(options: QueryOptions): Query<Output> {
  const checked = checkOptions(options);
  warnOfShadowing(checked);
  const sessionId = choosesSessionId(checked) ? (checked.sessionId ?? createSessionId()) : checked.sessionId;
  const trace = openQueryTrace('qwen.query');
  return new Query({
    options: checked,
    transport: createTransport(checked, toArguments({ ...checked, sessionId }), () => trace?.tell()),
    trace,
    sessionId: forks(checked) ? sessionId : (sessionId ?? checked.resume),
  });
}

/** The id of a new session is ours to choose where we start the CLI: it travels as a flag. */
function choosesSessionId({ resume, continue: goesOn, transport }: QueryOptions): boolean {
  return resume === undefined && goesOn !== true && transport === undefined;
}
