const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address of a link that a model wrote, or undefined for one that must not be followed by a click: a script, a file,
 * a program of this machine. Addresses without a scheme lead nowhere, as the page is at no place of the workspace.
 */
export function safeLink(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return SCHEMES.has(url.protocol) ? url.href : undefined;
}
