import type { Agent, RequestOptions } from 'node:http';
import { HttpsProxyAgent } from 'https-proxy-agent';

/** What to send through the proxy: a tunnel for https, the whole URL as the path for http. */
export function throughProxy(url: string, proxy: URL): RequestOptions {
  if (url.startsWith('https:')) return { agent: tunnel(proxy) };
  const { host } = new URL(url);
  const { username, password } = proxy;
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return {
    protocol: proxy.protocol,
    hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
    path: url,
    headers: { host, ...(username !== '' && { 'proxy-authorization': `Basic ${credentials}` }) },
  };
}

/** One per proxy, so that connections are reused. */
const tunnels = new Map<string, Agent>();

function tunnel(proxy: URL): Agent {
  const known = tunnels.get(proxy.href);
  if (known !== undefined) return known;
  const agent = new HttpsProxyAgent(proxy, { keepAlive: true });
  tunnels.set(proxy.href, agent);
  return agent;
}
