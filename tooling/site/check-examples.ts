// Lists the exports of @qwen/sdk whose doc comment has no `@example`. Fails if one of them is a value; types are listed
// with --types.
import { type DeclarationReflection, ReflectionKind } from 'typedoc';
import { readSdk } from './api-reference.ts';

const VALUES = [ReflectionKind.Function, ReflectionKind.Class, ReflectionKind.Variable];

const { project } = await readSdk();
const lacking = (project.children ?? []).flatMap((entry) =>
  (entry.children ?? []).filter((item) => !hasExample(item)).map((item) => ({ item, entry: entry.name })),
);
const values = lacking.filter(({ item }) => item.kindOf(VALUES));
const types = lacking.filter(({ item }) => !item.kindOf(VALUES));

for (const { item, entry } of process.argv.includes('--types') ? [...values, ...types] : values) {
  console.log(`${entry}: ${item.name} has no @example`);
}
console.log(`${values.length} values and ${types.length} types have no example`);
process.exitCode = values.length === 0 ? 0 : 1;

function hasExample({ comment, signatures = [] }: DeclarationReflection): boolean {
  return [comment, ...signatures.map((signature) => signature.comment)].some(
    (candidate) => candidate?.getTag('@example') !== undefined,
  );
}
