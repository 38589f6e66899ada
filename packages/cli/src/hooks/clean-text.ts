/** Characters that steer a terminal or turn the writing direction: text of a hook must not dress up as something else. */
const STEERING = /[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu;

/** Text of a hook as people and models may read it: without control characters, and not longer than this (S89). */
export function cleanText(text: string, maxLength: number): string {
  const clean = text.replaceAll('\r\n', '\n').replace(STEERING, '').trim();
  if (clean.length <= maxLength) return clean;
  return `${clean.slice(0, maxLength)}\n[… ${clean.length - maxLength} characters left out …]`;
}
