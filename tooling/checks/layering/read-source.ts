import { childNodes, isNode, literal, nameOf, type SyntaxNode } from './syntax.js';

export interface ImportedModule {
  readonly specifier: string;
  /** `type` is erased, `dynamic` loads on demand, `static` loads with the file. */
  readonly kind: 'static' | 'dynamic' | 'type';
}

export interface SourceFacts {
  readonly imports: readonly ImportedModule[];
  readonly hasExportAll: boolean;
  /** Global objects that the file uses: `process`, `console`. */
  readonly globals: ReadonlySet<string>;
  readonly writesStdout: boolean;
}

const STDOUT_CONSOLE = new Set(['log', 'info', 'debug', 'table', 'dir', 'group', 'timeEnd', 'count']);
/** Properties that only read the state of the terminal. */
const STDOUT_QUESTIONS = new Set(['isTTY', 'columns', 'rows', 'hasColors', 'getColorDepth']);

/** Reads the syntax tree, so that comments and strings do not match. */
export function readSource(program: SyntaxNode): SourceFacts {
  const imports: ImportedModule[] = [];
  const globals = new Set<string>();
  let hasExportAll = false;
  let writesStdout = false;

  function visit(node: SyntaxNode, parent: SyntaxNode | undefined): void {
    const imported = toImport(node);
    if (imported !== undefined) imports.push(imported);
    if (node.type === 'ExportAllDeclaration') hasExportAll = true;
    if (isGlobal(node, parent, 'process')) globals.add('process');
    if (isGlobal(node, parent, 'console')) globals.add('console');
    if (isStdoutWrite(node, parent)) writesStdout = true;
    for (const child of childNodes(node)) visit(child, node);
  }

  visit(program, undefined);
  return { imports, hasExportAll, globals, writesStdout };
}

function toImport(node: SyntaxNode): ImportedModule | undefined {
  const specifier = literal(node['source']);
  switch (node.type) {
    case 'ImportDeclaration':
      return specifier === undefined
        ? undefined
        : { specifier, kind: node['importKind'] === 'type' ? 'type' : 'static' };
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return specifier === undefined
        ? undefined
        : { specifier, kind: node['exportKind'] === 'type' ? 'type' : 'static' };
    case 'ImportExpression':
      return specifier === undefined ? undefined : { specifier, kind: 'dynamic' };
    case 'TSImportType':
      return specifier === undefined ? undefined : { specifier, kind: 'type' };
    case 'CallExpression':
      return toRequire(node);
    default:
      return undefined;
  }
}

function toRequire(node: SyntaxNode): ImportedModule | undefined {
  const [argument] = Array.isArray(node['arguments']) ? node['arguments'] : [];
  const specifier = literal(argument);
  return nameOf(node['callee']) === 'require' && specifier !== undefined ? { specifier, kind: 'static' } : undefined;
}

/** Matches `name` and `globalThis.name`, but not members or keys with that name. */
function isGlobal(node: SyntaxNode, parent: SyntaxNode | undefined, name: string): boolean {
  if (node.type !== 'Identifier' || node['name'] !== name) return false;
  const isMember = parent?.type === 'MemberExpression' && parent['property'] === node && parent['computed'] !== true;
  if (isMember) return nameOf(parent['object']) === 'globalThis';
  const isKey = parent?.['key'] === node && parent['computed'] !== true && parent['shorthand'] !== true;
  return !isKey && parent?.type !== 'TSQualifiedName';
}

function isStdoutWrite(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (node.type === 'CallExpression' && nameOf(node['callee'])?.endsWith('writeSync') === true) {
    const [target] = Array.isArray(node['arguments']) ? node['arguments'] : [];
    return isNode(target) && target['value'] === 1;
  }
  if (node.type !== 'MemberExpression') return false;
  const [object, property] = [nameOf(node['object']), nameOf(node['property'])];
  if (object === 'console') return property !== undefined && STDOUT_CONSOLE.has(property);
  if (object !== 'process' || property !== 'stdout') return false;
  const asked = parent?.type === 'MemberExpression' ? nameOf(parent['property']) : undefined;
  return asked === undefined || !STDOUT_QUESTIONS.has(asked);
}
