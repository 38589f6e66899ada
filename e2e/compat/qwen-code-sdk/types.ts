import ts from 'typescript5';

/** What the compiler reports about a program whose import of `@qwen-code/sdk` is changed to another package. */
export function compile(file: string, packageName: string): string[] {
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
    if (name !== file) return read(name, ...rest);
    const text = (ts.sys.readFile(name) ?? '').replace("'@qwen-code/sdk'", `'${packageName}'`);
    return ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
  };
  const program = ts.createProgram([file], options, host);
  const problems = program.getSemanticDiagnostics(program.getSourceFile(file));
  return problems.map(({ messageText, file: at, start = 0 }) => {
    const line = at === undefined ? 0 : at.getLineAndCharacterOfPosition(start).line + 1;
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
