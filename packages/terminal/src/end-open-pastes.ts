const START = '\u001b[200~';
const END = '\u001b[201~';
/** Milliseconds without input after which a paste has ended, although its end never arrived. */
const IDLE_MS = 1_000;
const CTRL_C = '\u0003';

/** A character, also with Alt, or the sequence of one key. */
const ONE_KEY = /^(?:\u001b?[^\u001b[O]|[[O\u001b]|\u001b\[[\d;:]*[A-Za-z~]|\u001bO[A-Za-z])$/u;
let isOneKey = true;

/** Whether the input read last is one key, without reports of the terminal or parts of a paste around it. */
export function wasOneKey(): boolean {
  return isOneKey;
}

/**
 * Ends pastes whose end marker is missing, because Ink would hold back every later key. What arrived remains a paste.
 * Ctrl+C alone ends one at once. Returns a function that restores the stream.
 */
export function endOpenPastes(input: NodeJS.ReadStream): () => void {
  const read = input.read.bind(input);
  let isOpen = false;
  let rest = '';
  let idle: NodeJS.Timeout | undefined;
  const follow = (text: string): void => {
    rest += text;
    let at: number;
    while ((at = rest.indexOf(isOpen ? END : START)) >= 0) {
      rest = rest.slice(at + START.length);
      isOpen = !isOpen;
    }
    rest = rest.slice(1 - START.length);
    clearTimeout(idle);
    if (isOpen) idle = setTimeout(() => input.unshift(END), IDLE_MS);
  };
  input.read = (size) => {
    const chunk: unknown = read(size);
    if (typeof chunk !== 'string') return chunk;
    isOneKey = ONE_KEY.test(chunk);
    const text = isOpen && chunk === CTRL_C ? `${END}${chunk}` : chunk;
    follow(text);
    return text;
  };
  return () => {
    clearTimeout(idle);
    input.read = read;
  };
}
