import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript5';
import { type CompatTable, rowsOf, type SectionMembers } from './compat-table.ts';
import { isPublic, readNested, type TypePair } from './read-nested.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

export interface ComparedPackages {
  /** The folder of the other package. */
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
  'export type Known = Ours.QueryOptions & Omit<Ours.Query, symbol>;',
];

export async function readMembers(
  { sections, imports = {}, nested = [] }: CompatTable,
  { theirs, ours }: ComparedPackages,
): Promise<TableMembers> {
  const sources = { Theirs: await typesOf(theirs), Ours: ours, ...imports };
  const checker = createChecker(
    [
      ...Object.entries(sources).map(([name, from]) => {
        const source = from.startsWith('./') ? join(theirs, from) : from;
        return `import type * as ${name} from ${JSON.stringify(source)};`;
      }),
      ...HELPERS,
      ...sections.flatMap((section, index) =>
        section.lists === 'exports' || section.lists === 'nested'
          ? []
          : [`export type Theirs${index} = ${section.theirs};`, `export type Ours${index} = ${section.ours};`],
      ),
    ].join('\n'),
  );
  const listed = sections.map(({ lists, skips, theirs: left, ours: right }, index) => {
    if (lists === 'nested') return { theirs: [], ours: new Set<string>() };
    if (lists === 'exports') {
      const exported = checker.exportsOf(left).filter((name) => skips?.test(name) !== true);
      return { theirs: exported, ours: new Set(checker.exportsOf(right)) };
    }
    const names = (alias: string) => checker.list(`${alias}${index}`, lists ?? 'members');
    return { theirs: names('Theirs'), ours: new Set(names('Ours')) };
  });
  const compared = sections.flatMap(({ lists = 'members' }, index) => (lists === 'members' ? [index] : []));
  const words = sections.flatMap(({ lists }, index) => (lists === 'words' ? [new Set(listed[index]?.theirs)] : []));
  const refused = sections.flatMap((section) =>
    section.lists === 'exports'
      ? rowsOf(section).flatMap(({ name, verdict }) => (verdict === 'refused' ? [name] : []))
      : [],
  );
  const missing = checker.listNested(theirs, {
    namespaces: nested,
    sections: compared,
    words,
    refused: new Set(refused),
  });
  return {
    sections: listed.map((members, index) =>
      sections[index]?.lists === 'nested' ? { ...members, theirs: missing } : members,
    ),
    known: new Set([
      ...checker.list('Known', 'members'),
      ...Object.keys(sources)
        .filter((name) => !name.startsWith('Their'))
        .flatMap((name) => checker.exportsOf(name)),
    ]),
  };
}

async function typesOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { types: string };
  return join(folder, manifest.types.replace(/\.d\.ts$/, '.js'));
}

interface Checker {
  /** The names of an exported type of the source. */
  list(alias: string, lists: 'members' | 'words'): string[];
  exportsOf(namespace: string): string[];
  /** See {@link readNested}. */
  listNested(folder: string, compared: Compared): string[];
}

interface Compared {
  /** Pairs of namespaces whose exports of the same name are compared. */
  readonly namespaces: readonly (readonly [theirs: string, ours: string])[];
  /** Indexes of sections, which name their members themselves. */
  readonly sections: readonly number[];
  /** Words that sections name. */
  readonly words: readonly ReadonlySet<string>[];
  /** Exports that sections refuse. */
  readonly refused: ReadonlySet<string>;
}

function createChecker(source: string): Checker {
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
    list: (alias, lists) => [...new Set(lists === 'words' ? wordsOf(typeNamed(alias)) : membersOf(typeNamed(alias)))],
    exportsOf: (namespace) => symbolsOf(namespace).map(({ name }) => name),
    listNested(folder, { namespaces, sections, words, refused }) {
      const named = sections
        .flatMap((index) => propertiesOf(typeNamed(`Theirs${index}`)))
        .flatMap(({ declarations = [] }) => declarations);
      const pairs = [
        ...namespaces.flatMap(([theirs, ours]) => {
          const own = new Map(symbolsOf(ours).map((symbol) => [symbol.name, typeOf(symbol)]));
          return symbolsOf(theirs).flatMap((symbol): TypePair[] => {
            const type = own.get(symbol.name);
            return type === undefined ? [] : [{ name: symbol.name, theirs: typeOf(symbol), ours: type }];
          });
        }),
        ...sections.map((index) => {
          return { name: `${index}`, theirs: typeNamed(`Theirs${index}`), ours: typeNamed(`Ours${index}`) };
        }),
      ];
      return readNested({ checker, folder, named: new Set(named), refused, words }, pairs);
    },
  };

  function typeNamed(alias: string): ts.Type {
    const symbol = aliases.get(alias);
    if (symbol === undefined) throw new Error(`${alias} is missing.`);
    return checker.getDeclaredTypeOfSymbol(symbol);
  }

  function typeOf(exported: ts.Symbol): ts.Type {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    if (symbol.flags & ts.SymbolFlags.Type) return checker.getDeclaredTypeOfSymbol(symbol);
    return checker.getTypeOfSymbol(symbol);
  }

  function symbolsOf(namespace: string): ts.Symbol[] {
    const statement = root?.statements.find(
      (node): node is ts.ImportDeclaration =>
        ts.isImportDeclaration(node) &&
        node.importClause?.namedBindings !== undefined &&
        ts.isNamespaceImport(node.importClause.namedBindings) &&
        node.importClause.namedBindings.name.text === namespace,
    );
    const symbol = statement && checker.getSymbolAtLocation(statement.moduleSpecifier);
    if (symbol === undefined) throw new Error(`The import ${namespace} was not found.`);
    return checker.getExportsOfModule(symbol);
  }

  function propertiesOf(type: ts.Type): ts.Symbol[] {
    const parts = type.isUnion() ? type.types : [type];
    return parts.flatMap((part) => checker.getPropertiesOfType(part)).filter(isPublic);
  }

  function membersOf(type: ts.Type): string[] {
    return propertiesOf(type).map(({ name }) => name);
  }

  function wordsOf(type: ts.Type): string[] {
    const parts = type.isUnion() ? type.types : [type];
    return parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  }
}

function hostOf(host: ts.CompilerHost): ts.FormatDiagnosticsHost {
  return {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => host.getCurrentDirectory(),
    getNewLine: () => '\n',
  };
}
