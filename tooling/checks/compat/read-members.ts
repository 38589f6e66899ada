import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript5';
import type { CompatTable, Section, SectionMembers } from './compat-table.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

export interface ComparedPackages {
  readonly theirs: string;
  /** As an import names it. */
  readonly ours: string;
}

export interface TableMembers {
  readonly sections: readonly SectionMembers[];
  /** Our exports, options and methods: what aliases may refer to. */
  readonly known: ReadonlySet<string>;
}

const HELPERS = [
  'type Kind<M> = M extends { type: infer T extends string; subtype: infer S extends string }',
  '  ? `${T}/${S}` : M extends { type: infer T extends string } ? T : never;',
  'type Own<T, Base> = { [K in Exclude<keyof T, keyof Base> as K extends string ? K : never]: T[K] };',
  'export type Known = Ours.QueryOptions & Omit<Ours.Query, symbol>;',
];

export async function readMembers(
  { sections, toolTypes }: CompatTable,
  { theirs, ours }: ComparedPackages,
): Promise<TableMembers> {
  const types = await typesOf(theirs);
  const lines = sections.flatMap((section, index) => [
    `export type Theirs${index} = ${section.theirs};`,
    `export type Ours${index} = ${section.ours};`,
  ]);
  const source = [
    `import type * as Theirs from ${JSON.stringify(types)};`,
    ...(toolTypes === undefined
      ? []
      : [`import type * as TheirTools from ${JSON.stringify(join(theirs, toolTypes))};`]),
    `import type * as Ours from ${JSON.stringify(ours)};`,
    ...HELPERS,
    ...lines,
  ].join('\n');
  const checker = createChecker(source);
  return {
    sections: sections.map((section, index) => ({
      theirs: checker.list(section, `Theirs${index}`, 'Theirs'),
      ours: new Set(checker.list(section, `Ours${index}`, 'Ours')),
    })),
    known: new Set([
      ...checker.list({ lists: 'members' }, 'Known', 'Ours'),
      ...checker.list({ lists: 'exports' }, 'Known', 'Ours'),
    ]),
  };
}

async function typesOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { types: string };
  return join(folder, manifest.types.replace(/\.d\.ts$/, '.js'));
}

function createChecker(source: string): {
  list(section: Pick<Section, 'lists'>, alias: string, namespace: string): string[];
} {
  const file = join(HERE, 'compared.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    customConditions: ['@qwen/source'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.ESNext) : readSource(name, ...rest);
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => name === file || exists(name);
  const program = ts.createProgram([file], options, host);
  const root = program.getSourceFile(file);
  const checker = program.getTypeChecker();
  const problems = root === undefined ? [] : program.getSemanticDiagnostics(root);
  if (problems.length > 0) throw new Error(ts.formatDiagnostics(problems, hostOf(host)));
  const module = root && checker.getSymbolAtLocation(root);
  if (root === undefined || module === undefined) throw new Error('The compiler read nothing.');
  const aliases = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));

  return {
    list({ lists }, alias, namespace) {
      if (lists === 'exports') return exportsOf(namespace);
      const symbol = aliases.get(alias);
      if (symbol === undefined) throw new Error(`${alias} is missing.`);
      const type = checker.getDeclaredTypeOfSymbol(symbol);
      const names = lists === 'words' ? wordsOf(type) : membersOf(type);
      return [...new Set(names)];
    },
  };

  function exportsOf(namespace: string): string[] {
    const statement = root?.statements.find(
      (node): node is ts.ImportDeclaration =>
        ts.isImportDeclaration(node) &&
        node.importClause?.namedBindings !== undefined &&
        ts.isNamespaceImport(node.importClause.namedBindings) &&
        node.importClause.namedBindings.name.text === namespace,
    );
    const symbol = statement && checker.getSymbolAtLocation(statement.moduleSpecifier);
    if (symbol === undefined) throw new Error(`The import ${namespace} was not found.`);
    return checker.getExportsOfModule(symbol).map(({ name }) => name);
  }

  function membersOf(type: ts.Type): string[] {
    const parts = type.isUnion() ? type.types : [type];
    return parts.flatMap((part) => checker.getPropertiesOfType(part).map(({ name }) => name)).filter(isPublic);
  }

  function wordsOf(type: ts.Type): string[] {
    const parts = type.isUnion() ? type.types : [type];
    return parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  }
}

/** Symbols such as `Symbol.asyncIterator` have names that start so. */
function isPublic(name: string): boolean {
  return !name.startsWith('__');
}

function hostOf(host: ts.CompilerHost): ts.FormatDiagnosticsHost {
  return {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => host.getCurrentDirectory(),
    getNewLine: () => '\n',
  };
}
