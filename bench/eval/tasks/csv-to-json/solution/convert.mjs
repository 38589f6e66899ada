import { readFileSync } from 'node:fs';

function cells(line) {
  const found = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)];
  return found.map(([, quoted, plain]) => (quoted === undefined ? plain : quoted.replaceAll('""', '"')));
}

const [head, ...lines] = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n');
const names = cells(head);
const rows = lines.map((line) => Object.fromEntries(cells(line).map((value, index) => [names[index], value])));
process.stdout.write(`${JSON.stringify(rows)}\n`);
