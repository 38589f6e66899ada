// Checks that each value that @qwen/sdk exports has an `@example` in its doc comment, and that all examples compile.
// Types may do without one; --types lists those.
import { type CommentTag, type DeclarationReflection, ReflectionKind } from 'typedoc';
import { readSdk } from './api-reference.ts';
import { compileSnippets } from './compile-snippets.ts';

const VALUES = [ReflectionKind.Function, ReflectionKind.Class, ReflectionKind.Variable];

const { project } = await readSdk();
const items = (project.children ?? []).flatMap((entry) =>
  (entry.children ?? []).map((item) => ({
    item,
    name: `${entry.name}: ${ReflectionKind.singularString(item.kind)} ${item.name}`,
  })),
);
const lacking = items.filter(({ item }) => examplesOf(item).length === 0);
const values = lacking.filter(({ item }) => item.kindOf(VALUES));
for (const { name } of process.argv.includes('--types') ? lacking : values) console.log(`${name} has no @example`);

const examples = new Map(
  items.flatMap(({ item, name }) =>
    examplesOf(item).map(({ content }, index): [string, string] => [
      `${name.replaceAll(/\W+/g, '-')}-${index + 1}`,
      content
        .map(({ text }) => text)
        .join('')
        .replaceAll(/^```.*$/gm, ''),
    ]),
  ),
);
const errors = await compileSnippets(examples);
if (errors !== '') console.log(errors);
console.log(`${examples.size} examples; ${values.length} values and ${lacking.length - values.length} types have none`);
process.exitCode = values.length === 0 && errors === '' ? 0 : 1;

function examplesOf({ comment, signatures = [] }: DeclarationReflection): CommentTag[] {
  return [comment, ...signatures.map((signature) => signature.comment)].flatMap(
    (candidate) => candidate?.getTags('@example') ?? [],
  );
}
