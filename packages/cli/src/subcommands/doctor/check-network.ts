import type { Check, Finding } from './finding.js';

const PROXIES = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];

/** Masks proxy passwords. */
export const checkNetwork: Check = async ({ variables }) => {
  const isSet = PROXIES.filter((name) => Boolean(variables[name]));
  const isUsed = variables['NODE_USE_ENV_PROXY'] === '1';
  return [
    ...isSet.map((name): Finding => {
      const message = `${name}: ${hostOf(variables[name] ?? '')}`;
      return isUsed
        ? { area: 'network', level: 'ok', message }
        : {
            area: 'network',
            level: 'warning',
            message: `${message} is not used`,
            advice: 'Set NODE_USE_ENV_PROXY=1 to use it.',
          };
    }),
    ...(variables['NODE_TLS_REJECT_UNAUTHORIZED'] === '0'
      ? [
          {
            area: 'network',
            level: 'warning',
            message: 'NODE_TLS_REJECT_UNAUTHORIZED=0: anyone on the network path can read keys and change answers',
            advice: 'Set NODE_EXTRA_CA_CERTS to the CA certificate of your company instead.',
          } as const,
        ]
      : []),
  ];
};

function hostOf(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).host : 'an invalid address';
}
