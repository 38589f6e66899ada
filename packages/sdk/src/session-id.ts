/** A UUID v4, not secret: loading `crypto` would delay the start. */
export function createSessionId(): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16));
  digits[12] = '4';
  digits[16] = '89ab'.charAt(Math.floor(Math.random() * 4));
  const text = digits.join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}
