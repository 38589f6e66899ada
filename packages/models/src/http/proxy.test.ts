import { expect, test } from 'vitest';
import { proxyFor } from './proxy.js';

const HTTPS = 'https://api.example.com/v1/chat';

test.for<[string, string, boolean]>([
  ['', HTTPS, true],
  ['*', HTTPS, false],
  ['example.com', HTTPS, false],
  ['.example.com', HTTPS, false],
  ['*.example.com', HTTPS, false],
  ['API.EXAMPLE.COM', HTTPS, false],
  ['ample.com', HTTPS, true],
  ['example.com.evil.org', HTTPS, true],
  ['other.org, api.example.com', HTTPS, false],
  ['api.example.com:443', HTTPS, false],
  ['api.example.com:8443', HTTPS, true],
  ['api.example.com:8443', 'https://api.example.com:8443/', false],
  ['10.0.0.0/8', 'https://10.1.2.3/', false],
  ['10.0.0.0/8', 'https://11.1.2.3/', true],
  ['10.0.0.0/99', 'https://10.1.2.3/', true],
  ['192.168.1.7', 'https://192.168.1.7/', false],
  ['::1', 'https://[::1]:8000/', false],
  ['[::1]:8000', 'https://[::1]:8000/', false],
  ['fd00::/8', 'https://[fd00::12]/', false],
])('NO_PROXY=%s for %s: proxied %s', ([bypass, url, isProxied]) => {
  expect(proxyFor(url, { https: 'http://proxy:3128', bypass }) !== undefined).toBe(isProxied);
});

test('each protocol has its own proxy, whose address may lack the protocol', () => {
  const rules = { http: 'proxy:3128', https: 'http://user:p%40ss@secure:8080' };
  expect(proxyFor('http://model.example/v1', rules)?.href).toBe('http://proxy:3128/');
  expect(proxyFor(HTTPS, rules)?.host).toBe('secure:8080');
  expect(proxyFor(HTTPS, { http: 'proxy:3128' })).toBeUndefined();
  expect(proxyFor(HTTPS, undefined)).toBeUndefined();
});

test('variables spare this machine, a chosen proxy does not', () => {
  for (const host of ['localhost:1', '127.0.0.1:1', '[::1]:1', 'model.localhost']) {
    expect(proxyFor(`http://${host}/`, { http: 'proxy:1', sparesLoopback: true })).toBeUndefined();
    expect(proxyFor(`http://${host}/`, { http: 'proxy:1' })).toBeDefined();
  }
});

test.for(['socks5://proxy:1', 'not a url', 'ftp://proxy'])('%s is refused', (https) => {
  expect(() => proxyFor(HTTPS, { https })).toThrow(expect.objectContaining({ code: 'invalid_options' }));
});

test('a SOCKS proxy is named as such', () => {
  expect(() => proxyFor(HTTPS, { https: 'socks5h://proxy:1' })).toThrow('a SOCKS proxy, which is not supported');
});
