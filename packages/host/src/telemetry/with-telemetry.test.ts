import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { isTelemetryOn } from './with-telemetry.js';

test("only qwen's own switch enables it", () => {
  verifies('GAP-55', 'S112');
  const inherited = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', TRACEPARENT: '00-1-1-01' };
  expect(isTelemetryOn(undefined, {})).toBe(false);
  expect(isTelemetryOn(undefined, inherited)).toBe(false);
  expect(isTelemetryOn(undefined, { QWEN_TELEMETRY: '1' })).toBe(true);
  expect(isTelemetryOn(true, {})).toBe(true);
});

test.each([
  [{ QWEN_TELEMETRY: '0' }],
  [{ QWEN_TELEMETRY: 'false' }],
  [{ OTEL_SDK_DISABLED: 'TRUE' }],
  [{ OTEL_TRACES_EXPORTER: 'none' }],
])('%j disables it, whatever the settings', (environment) => {
  expect(isTelemetryOn(true, environment)).toBe(false);
});

test('another value is refused', () => {
  expect(() => isTelemetryOn(undefined, { QWEN_TELEMETRY: 'yes please' })).toThrow(
    expect.objectContaining({ code: 'usage', message: expect.stringContaining('"yes please"') }),
  );
});
