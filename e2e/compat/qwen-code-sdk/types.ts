import ts from 'typescript5';

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
