// Applies the rules of a seatbelt profile as macOS does, for the operations and filters on paths.

type Expression = string | RegExp | readonly Expression[];

const TOKEN = /\s+|;[^\n]*|([()])|#"((?:[^"])*)"|"((?:[^"\\]|\\.)*)"|([^\s()"#;]+)/gy;

/** Whether an operation on a path is allowed. The arguments are those of `sandbox-exec`. */
export function createSeatbelt(args: readonly string[]): (operation: string, path: string) => boolean {
  const parameters = new Map(
    args.flatMap((arg, index) => {
      const [name = '', ...value] = arg.split('=');
      return args[index - 1] === '-D' ? [[name, value.join('=')] as const] : [];
    }),
  );
  const rules = parse(args[args.indexOf('-p') + 1] ?? '');
  return (operation, path) => {
    let isAllowed = false;
    for (const rule of rules) {
      if (!Array.isArray(rule)) throw new Error('A rule is a list.');
      const [action, ...rest] = rule as Expression[];
      const operations = rest.filter((part) => typeof part === 'string');
      const filters = rest.filter((part) => typeof part !== 'string');
      const isMeant = operations.some((one) => one === 'default' || covers(one, operation));
      if (action === 'version' || !isMeant) continue;
      if (filters.length === 0 || filters.some((filter) => matches(filter, path, parameters)))
        isAllowed = action === 'allow';
    }
    return isAllowed;
  };
}

function covers(pattern: string, operation: string): boolean {
  return pattern.endsWith('*') ? operation.startsWith(pattern.slice(0, -1)) : pattern === operation;
}

function matches(filter: Expression, path: string, parameters: ReadonlyMap<string, string>): boolean {
  const [name, ...values] = filter as readonly Expression[];
  const text = (value: Expression | undefined): string => {
    if (typeof value === 'string') return value;
    const [, parameter] = value as readonly string[];
    const known = parameters.get(parameter ?? '');
    if (known === undefined) throw new Error(`Unknown parameter ${parameter}`);
    return known;
  };
  const [first] = values;
  switch (name) {
    case 'literal':
      return path === text(first);
    case 'subpath':
      return path === text(first) || path.startsWith(`${text(first)}/`);
    case 'regex':
      return (first as RegExp).test(path);
    case 'require-all':
      return values.every((one) => matches(one, path, parameters));
    case 'remote':
    case 'local':
      return values[0] === 'unix-socket' && matches(values[1] ?? [], path, parameters);
    default:
      return false;
  }
}

function parse(profile: string): readonly Expression[] {
  const stack: Expression[][] = [[]];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < profile.length) {
    const at = TOKEN.lastIndex;
    const found = TOKEN.exec(profile);
    if (found === null) throw new Error(`Invalid profile at ${profile.slice(at, at + 40)}`);
    const [, bracket, pattern, quoted, word] = found;
    if (bracket === '(') stack.push([]);
    else if (bracket === ')') {
      const list = stack.pop() ?? [];
      const outer = stack.at(-1);
      if (outer === undefined) throw new Error('A bracket is closed twice.');
      outer.push(list);
    } else if (pattern !== undefined) stack.at(-1)?.push(new RegExp(pattern));
    else if (quoted !== undefined) stack.at(-1)?.push(quoted.replaceAll(/\\(.)/g, '$1'));
    else if (word !== undefined) stack.at(-1)?.push(word);
  }
  const [rules, ...open] = stack;
  if (open.length > 0 || rules === undefined) throw new Error('A bracket is left open.');
  return rules;
}
