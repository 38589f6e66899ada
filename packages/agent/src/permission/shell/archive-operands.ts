const OPTIONS: ReadonlyMap<string, RegExp> = new Map([
  ['unzip', /^-l$/],
  ['gunzip', /^-c$/],
  ['gzip', /^-(?:l|lv|vl)$/],
  ['xz', /^-(?:l|lv|vl)$/],
]);
const SUFFIXES: ReadonlyMap<string, readonly string[]> = new Map([
  ['unzip', ['.zip', '.ZIP']],
  ['zcat', ['.gz', '.z', '-z', '.Z']],
  ['gunzip', ['.gz', '.z', '-z', '.Z']],
  ['gzip', ['.gz', '.z', '-z', '.Z']],
]);
const COMPRESSED = /(?:\.(?:gz|tgz|taz|[zZ])|[-_]z|-gz)$/;

export function archiveOperands(program: string, args: readonly string[]): readonly string[] | undefined {
  const option = OPTIONS.get(program);
  const names = option === undefined ? args : args.slice(1);
  if (option?.test(args[0] ?? '') === false || names.some((name) => name.startsWith('-'))) return undefined;
  // It expands patterns itself, and takes further names for members.
  if (program === 'unzip' && (names.length !== 1 || /[*?[]/.test(names[0] ?? ''))) return undefined;
  const suffixes = SUFFIXES.get(program) ?? [];
  // `\0` marks a pattern.
  return names.flatMap((name) => (name.startsWith('\0') ? [name] : [name, ...suffixes.map((end) => name + end)]));
}

export function mayExpandArchive(program: string, pattern: string): boolean {
  return SUFFIXES.get(program) === undefined || COMPRESSED.test(pattern);
}

/** A colon would name another machine. */
export function tarOperands([list = '', file = '', ...members]: readonly string[]): readonly string[] | undefined {
  const isListing = /^-?(?:[vzjJ]*t[vzjJ]*)f$/.test(list) && !/^-|[:@]/.test(file) && file !== '';
  return isListing && !members.some((name) => name.startsWith('-')) ? [file] : undefined;
}
