/** How a JSON text is laid out. */
export interface Indentation {
  /** White space in front of a line at this place. */
  readonly depth: string;
  /** White space that one level adds. */
  readonly unit: string;
  readonly eol: string;
}

/** The layout of a text at one place, as its author began it; two spaces a level where that cannot be told. */
export function indentationOf(json: string, offset: number): Indentation {
  const line = json.slice(json.lastIndexOf('\n', offset - 1) + 1, offset);
  const [depth = ''] = /^[^\S\n]*/.exec(line) ?? [];
  const [, unit = '  '] = /\n([ \t]+)\S/.exec(json) ?? [];
  return { depth, unit, eol: json.includes('\r\n') ? '\r\n' : '\n' };
}

/** JSON in this layout, for the place behind a name. */
export function memberText(value: unknown, { depth, unit, eol }: Indentation): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', eol + depth);
}
