import { afterEach, expect, test } from 'vitest';
import { SdkLogger } from './logger.js';

afterEach(() => SdkLogger.configure({}));

test('a line has the time, the level, the name and the values', () => {
  const lines: string[] = [];
  SdkLogger.configure({ logLevel: 'debug', stderr: (line) => lines.push(line) });
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  SdkLogger.createLogger('App').warn('Slow', { ms: 12 }, 'text', undefined, circular);
  SdkLogger.createLogger('Db').error('Failed', new Error('no disk'));
  expect(lines[0]).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[WARN\] \[App\] Slow {"ms":12} text undefined \[object Object\]$/,
  );
  expect(lines[1]).toMatch(/\[ERROR\] \[Db\] Failed Error: no disk\n +at /);
});

test('the level decides, then debug; the default is error', () => {
  const lines: string[] = [];
  const stderr = (line: string) => lines.push(line.replace(/^.*\[App\] /, ''));
  const logger = SdkLogger.createLogger('App');
  const logAll = () => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](level);
    return lines.splice(0);
  };
  SdkLogger.configure({ stderr });
  expect([SdkLogger.getEffectiveLevel(), logAll()]).toEqual(['error', ['error']]);
  SdkLogger.configure({ stderr, debug: true });
  expect([SdkLogger.getEffectiveLevel(), logAll()]).toEqual(['debug', ['debug', 'info', 'warn', 'error']]);
  SdkLogger.configure({ stderr, debug: true, logLevel: 'warn' });
  expect([SdkLogger.getEffectiveLevel(), logAll()]).toEqual(['warn', ['warn', 'error']]);
});
