import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { expect, test } from 'vitest';
import { toSampler } from './sampler.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';

function decide(name: string | undefined, argument: string | undefined, parentFlags?: number) {
  const parent =
    parentFlags === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, {
          traceId: TRACE_ID,
          spanId: 'b7ad6b7169203331',
          traceFlags: parentFlags,
          isRemote: true,
        });
  const { decision } = toSampler(name, argument).shouldSample(parent, TRACE_ID, 'x', SpanKind.INTERNAL, {}, []);
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

test.each([
  { name: undefined, sampled: true },
  { name: 'always_on', sampled: true },
  { name: 'always_off', sampled: false },
  { name: 'traceidratio', argument: '0', sampled: false },
  { name: 'traceidratio', argument: '1', sampled: true },
  { name: 'parentbased_traceidratio', argument: '0', sampled: false },
  { name: 'parentbased_traceidratio', argument: '0', parentFlags: 1, sampled: true },
  { name: undefined, parentFlags: 0, sampled: false },
  { name: 'always_on', parentFlags: 0, sampled: true },
])('$name with $argument under $parentFlags: $sampled', ({ name, argument, parentFlags, sampled }) => {
  expect(decide(name, argument, parentFlags)).toBe(sampled);
});

test.each([
  ['sometimes', undefined, '"sometimes"'],
  ['constructor', undefined, '"constructor"'],
  ['traceidratio', 'half', '"half"'],
  ['traceidratio', '1.5', '"1.5"'],
])('%s with %s is refused', (name, argument, quoted) => {
  expect(() => toSampler(name, argument)).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringContaining(quoted) }),
  );
});
