export interface Indentation {
  /** Indentation of the line at this place. */
  readonly depth: string;
  /** Indentation per level. */
  readonly unit: string;
  readonly eol: string;
}

/** The layout of a text at one place; two spaces per level when unknown. */
export function indentationOf(json: string, offset: number): Indentation {
  const line = json.slice(json.lastIndexOf('\n', offset - 1) + 1, offset);
  const [depth = ''] = /^[^\S\n]*/.exec(line) ?? [];
  const [, unit = '  '] = /\n([ \t]+)\S/.exec(json) ?? [];
  return { depth, unit, eol: json.includes('\r\n') ? '\r\n' : '\n' };
}

/** JSON in this layout. */
export function memberText(value: unknown, { depth, unit, eol }: Indentation): string {
  return JSON.stringify(value, undefined, unit).replaceAll('\n', eol + depth);
}
