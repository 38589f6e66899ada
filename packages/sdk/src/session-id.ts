/**
 * A UUID v4 for a new session. It has to be unique and need not be secret, and it is needed before the CLI starts:
 * loading the crypto module for it would add 4 ms to a start whose floor is 18 ms (`pnpm bench:sdk-cold-start`).
 */
export function createSessionId(): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16));
  digits[12] = '4';
  digits[16] = '89ab'.charAt(Math.floor(Math.random() * 4));
  const text = digits.join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}
