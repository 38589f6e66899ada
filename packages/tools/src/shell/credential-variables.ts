/** Names that may hold a credential. */
const NAMED =
  /KEY|TOKEN|SECRET|PASS|CREDENTIAL|PWD|(?:^|_)PAT(?:_|$)|(?:^|_)(?:[A-Z]*AUTH|AUTHORIZATION)(?:_|$)|COOKIE|(?:^|_)JWT(?:_|$)/i;
/** Harmless words that contain one of those. */
const HARMLESS =
  /^(?:OLD)?PWD$|^(?:SSH_AUTH_SOCK|XAUTHORITY|GIT_CONFIG_KEY_\d+)$|KEY(?:BOARD|MAP|WORD|CODE|TIMEOUT|STROKE|_?BINDING)|(?:MON|HOT|TUR|DON|WHIS)KEY|TOKENIZERS?|(?:MAX|MIN|LIMIT|COUNT|NUM)_\w*TOKENS?|(?:BY|COM|TRES|SUR)PASS|PASS(?:IVE|ENGER|THROUGH|PORT)|AUTHOR(?!IZ)|AUTH_(?:TYPE|METHOD|MODE|URL|ENABLED)$/gi;

/** Formats of keys and tokens, and addresses with a password. */
const VALUED: readonly RegExp[] = [
  /^sk-[\w-]{16,}|\b[srp]k_(?:live|test)_\w{8,}/,
  /\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/,
  /\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}/,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\./,
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\bAIza[\w-]{30,}|\bya29\.[\w-]{16,}/,
  /\bnpm_[A-Za-z0-9]{30,}|\bpypi-[\w-]{16,}|\bhf_[A-Za-z0-9]{20,}|\bdop_v1_\w{20,}|\bSG\.[\w-]{16,}\./,
  /^(?:Bearer|Basic) \S{8,}/i,
  /[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i,
];

/** The value decides too: a key in a variable with a harmless name is still a key. */
export function isCredential(name: string, value: string): boolean {
  return NAMED.test(name.replaceAll(HARMLESS, '')) || VALUED.some((format) => format.test(value));
}
