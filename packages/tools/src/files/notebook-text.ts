import * as z from 'zod/mini';

/** In UTF-16 units, per output. */
const MAX_OUTPUT_LENGTH = 4000;

const text = z.union([z.string(), z.array(z.string())]);
const notebookSchema = z.object({
  cells: z.array(
    z.object({
      cell_type: z.string(),
      source: text,
      outputs: z.optional(
        z.array(
          z.looseObject({
            text: z.optional(text),
            data: z.optional(z.record(z.string(), z.unknown())),
            ename: z.optional(z.string()),
            evalue: z.optional(z.string()),
          }),
        ),
      ),
    }),
  ),
});

/** The cells of a Jupyter notebook with their outputs as text; undefined if it is not one. */
export function notebookText(json: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const notebook = z.safeParse(notebookSchema, value);
  if (!notebook.success) return undefined;
  const cells = notebook.data.cells.map(({ cell_type: type, source, outputs = [] }, index) => {
    const shown = outputs.map(outputText).filter((output) => output !== '');
    return [
      `--- cell ${index + 1}: ${type} ---`,
      joined(source),
      ...shown.map((output) => `--- output ---\n${output}`),
    ];
  });
  return `${cells.flat().join('\n')}\n`;
}

type Output = NonNullable<z.output<typeof notebookSchema>['cells'][number]['outputs']>[number];

function outputText({ text: stream, data = {}, ename, evalue }: Output): string {
  const plain = z.safeParse(text, data['text/plain']);
  const whole =
    stream !== undefined
      ? joined(stream)
      : ename !== undefined
        ? `${ename}: ${evalue ?? ''}`
        : plain.success
          ? joined(plain.data)
          : '';
  const others = Object.keys(data).filter((type) => type !== 'text/plain' && type !== 'text/html');
  const note = others.length > 0 ? `[${others.join(', ')}]` : '';
  const cut = whole.length > MAX_OUTPUT_LENGTH ? `${whole.slice(0, MAX_OUTPUT_LENGTH)}…` : whole;
  return [cut.trimEnd(), note].filter((part) => part !== '').join('\n');
}

function joined(source: string | readonly string[]): string {
  return (typeof source === 'string' ? source : source.join('')).trimEnd();
}
