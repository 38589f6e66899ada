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
