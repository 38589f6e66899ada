import { format } from 'node:util';

export interface Printed {
  readonly channel: 'stdout' | 'stderr';
  readonly text: string;
  /** Missing for output that did not come from the console. */
  readonly level?: 'log' | 'info' | 'warn' | 'error' | 'debug';
}

export interface PrintInterception {
  readonly keepsRaw: boolean;
  readonly onPrint: (printed: Printed) => void;
}

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;

/**
 * Captures output printed through the console, `process.stdout` or `process.stderr`, so that it can be reported as
 * lines. Call it after the writer took the real stdout. Returns a function that undoes it.
 */
export function interceptPrints({ keepsRaw, onPrint }: PrintInterception): () => void {
  const { stderr, stdout } = process;
  const writeRaw = stderr.write.bind(stderr);
  let isTelling = false;
  const emit = (printed: Printed): void => {
    if (keepsRaw) writeRaw(printed.text);
    // Prevents recursion: reporting may print.
    if (isTelling) return;
    isTelling = true;
    try {
      onPrint(printed);
    } finally {
      isTelling = false;
    }
  };
  const before = LEVELS.map((level) => [level, console[level]] as const);
  for (const level of LEVELS) {
    console[level] = (...args: unknown[]) => emit({ channel: 'stderr', level, text: `${format(...args)}\n` });
  }
  const descriptors = Object.getOwnPropertyDescriptors(process);
  const catcherOf = (channel: Printed['channel'], real: NodeJS.WriteStream): NodeJS.WriteStream => {
    const write = createWrite((text) => emit({ channel, text }));
    return new Proxy(real, {
      get: (target, name) => {
        if (name === 'write') return write;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  redirect('stdout', catcherOf('stdout', stdout));
  redirect('stderr', catcherOf('stderr', stderr));
  return () => {
    for (const [level, method] of before) console[level] = method;
    for (const name of ['stdout', 'stderr'] as const) {
      const descriptor = descriptors[name];
      if (descriptor !== undefined) Object.defineProperty(process, name, descriptor);
    }
  };
}

function redirect(name: 'stdout' | 'stderr', stream: NodeJS.WriteStream): void {
  Object.defineProperty(process, name, { configurable: true, enumerable: true, get: () => stream });
}

function createWrite(emit: (text: string) => void) {
  const decoder = new TextDecoder();
  return (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text !== '') emit(text);
    const callback = rest.find((one) => typeof one === 'function');
    if (callback !== undefined) process.nextTick(() => callback());
    return true;
  };
}
