import { expect, test } from 'vitest';
import { readTraceContext } from './trace-context.js';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('reads both members and no others', () => {
  expect(readTraceContext({ traceparent: TRACEPARENT, tracestate: 'a=1', more: true })).toEqual({
    traceparent: TRACEPARENT,
    tracestate: 'a=1',
  });
  expect(readTraceContext({ traceparent: TRACEPARENT, tracestate: 7 })).toEqual({ traceparent: TRACEPARENT });
});

test.each([[undefined], [null], ['text'], [{}], [{ traceparent: 7 }], [[TRACEPARENT]]])(
  '%j links to nothing',
  (value) => {
    expect(readTraceContext(value)).toBeUndefined();
  },
);
