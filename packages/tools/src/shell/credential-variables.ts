const NAMED =
  /KEY|TOKEN|SECRET|PASS|CREDENTIAL|PWD|(?:^|_)PAT(?:_|$)|(?:^|_)(?:[A-Z]*AUTH|AUTHORIZATION)(?:_|$)|COOKIE|(?:^|_)JWT(?:_|$)|^(?:BW|OP)_SESSION/i;
/** Harmless words that contain one of those. */
const HARMLESS =
  /^(?:OLD)?PWD$|^(?:SSH_AUTH_SOCK|XAUTHORITY|GIT_CONFIG_KEY_\d+)$|KEY(?:BOARD|MAP|WORD|CODE|TIMEOUT|STROKE|_?BINDING)|(?:MON|HOT|TUR|DON|WHIS)KEY|TOKENIZERS?|(?:^|_)(?:MAX|MIN|LIMIT|COUNT|NUM)_(?:[A-Z]+_)*TOKENS$|(?:BY|COM|TRES|SUR)PASS|PASS(?:IVE|ENGER|THROUGH|PORT)|AUTHOR(?!IZ)|AUTH_(?:TYPE|METHOD|MODE|URL|ENABLED)$/gi;

/** Formats of keys and tokens, addresses that grant access, and connection settings with a password. */
const VALUED: readonly RegExp[] = [
  /^sk-[\w-]{16,}|\b[srp]k_(?:live|test)_\w{8,}/,
  /\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/,
  /\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}/,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\./,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}/,
  /\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{16,}|\bhf_[A-Za-z0-9]{20,}|\bdop_v1_\w{20,}|\bSG\.[\w-]{16,}\./,
  /^(?:gsk_|xai-|r8_|pplx-|nvapi-|tvly-|dckr_pat_|hvs\.|shp(?:at|ss)_|lin_api_|figd_|sbp_|glsa_)[\w.-]{16,}|^AGE-SECRET-KEY-1/,
  /^(?:Bearer|Basic) \S{8,}/i,
  // A port is no password.
  /[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:(?!\d*(?:[/?#]|$))\S+@/i,
  /\/\/hooks\.slack\.com\/services\/|\/\/discord(?:app)?\.com\/api\/webhooks\//i,
  /(?:^|[;\s?&])(?:password|passwd|pwd|accountkey|sharedaccesskey|sig|access_token|api_?key)\s*=\s*[^;\s&]{4,}/i,
];

/** The value decides too: a key in a variable with a harmless name is still a key. */
export function isCredential(name: string, value: string): boolean {
  return NAMED.test(name.replaceAll(HARMLESS, '')) || VALUED.some((format) => format.test(value));
}
