import { fileURLToPath } from 'node:url';
import ts from 'typescript5';

/** What the compiler reports about programs whose import of `@qwen-code/sdk` is changed to another package. */
export function compile(files: readonly string[], packageName: string): string[] {
  const changed = (file: string) => (ts.sys.readFile(file) ?? '').replace("'@qwen-code/sdk'", `'${packageName}'`);
  const program = createProgram(new Map(files.map((file) => [file, changed(file)])));
  const found = files.flatMap((file) => program.getSemanticDiagnostics(program.getSourceFile(file)));
  return found.map(({ messageText, file: at, start = 0 }) => {
    const line = at === undefined ? 0 : at.getLineAndCharacterOfPosition(start).line + 1;
    return `${at?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

/** A program of files with these texts. */
function createProgram(sources: ReadonlyMap<string, string>): ts.Program {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    customConditions: ['@qwen/source'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) => {
    const source = sources.get(name);
    return source === undefined ? read(name, ...rest) : ts.createSourceFile(name, source, ts.ScriptTarget.ESNext, true);
  };
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => sources.has(name) || exists(name);
  return ts.createProgram([...sources.keys()], options, host);
}

export interface PackageNames {
  readonly exports: readonly string[];
  /** Public names of an exported type; of a union, those of any part. */
  members(type: string): string[];
}

/** Asks the compiler for the names of a package. */
export function namesOfPackage(packageName: string, types: readonly string[]): PackageNames {
  const file = fileURLToPath(new URL('names.ts', import.meta.url));
  const lines = types.map((type) => `export type ${type}_ = Package.${type};`);
  const source = [`import type * as Package from '${packageName}';`, ...lines].join('\n');
  const program = createProgram(new Map([[file, source]]));
  const root = program.getSourceFile(file);
  if (root === undefined) throw new Error(`The compiler did not read ${file}.`);
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(root);
  const statement = root.statements.find(ts.isImportDeclaration);
  const imported = statement && checker.getSymbolAtLocation(statement.moduleSpecifier);
  if (module === undefined || imported === undefined) throw new Error(`The compiler did not find ${packageName}.`);
  const aliases = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  return {
    exports: checker.getExportsOfModule(imported).map(({ name }) => name),
    members(type) {
      const symbol = aliases.get(`${type}_`);
      if (symbol === undefined) throw new Error(`${type} is missing.`);
      const declared = checker.getDeclaredTypeOfSymbol(symbol);
      const parts = declared.isUnion() ? declared.types : [declared];
      const properties = parts.flatMap((part) => checker.getPropertiesOfType(part));
      const isPublic = (property: ts.Symbol) =>
        !property.name.startsWith('__') &&
        !property.declarations?.some((node) => ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Private);
      return [...new Set(properties.filter(isPublic).map(({ name }) => name))];
    },
  };
}
