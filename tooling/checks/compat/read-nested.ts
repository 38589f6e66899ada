import ts from 'typescript5';

export interface TypePair {
  readonly name: string;
  readonly theirs: ts.Type;
  readonly ours: ts.Type;
}

export interface NestedSource {
  readonly checker: ts.TypeChecker;
  /** Names outside it, such as those of Node.js, are not theirs. */
  readonly folder: string;
  /** Members that a table has already named. */
  readonly named: ReadonlySet<ts.Node>;
  /** Exports that a table refuses: as variants of a union, they need no further rows. */
  readonly refused: ReadonlySet<string>;
  /** Unions whose words a table has already named. */
  readonly words: readonly ReadonlySet<string>[];
}

const CONTAINERS = /^(?:Async)?(?:Promise|Iterable|Iterator|Generator|Map|ReadonlyMap|Set|ReadonlySet)$/;
/** Type parameters too: what they stand for is not known here. */
const ACCEPTS_ALL = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Instantiable;
const HAS_NAME = ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias;
const IS_OBJECT = ts.TypeFlags.Object | ts.TypeFlags.Intersection;

/**
 * Names in the types of another package that their counterparts here lack, at any depth: `Type.member`, `Type=word`.
 * Follows aliases, unions, intersections, mapped types, arrays, promises, parameters and results. A type is compared
 * where it is first met.
 */
export function readNested(
  { checker, folder, named, refused, words: lists }: NestedSource,
  pairs: readonly TypePair[],
): string[] {
  const missing = new Set<string>();
  const visited = new Set<ts.Type>();
  const listed = new Set(named);
  for (const { name, theirs, ours } of pairs) compare([theirs], [ours], name);
  return [...missing];

  function compare(theirTypes: readonly ts.Type[], ourTypes: readonly ts.Type[], path: string): void {
    const ours = ourTypes.flatMap(partsOf);
    if (ours.some(({ flags }) => flags & ACCEPTS_ALL)) return;
    const words = new Set(ours.flatMap((type) => (type.isStringLiteral() ? [type.value] : [])));
    const isText = ours.some(({ flags }) => flags & ts.TypeFlags.String);
    const objects = ours.filter(({ flags }) => flags & IS_OBJECT);
    for (const type of theirTypes) {
      const place = nameOf(type) ?? path;
      const parts = partsOf(type);
      const theirWords = parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
      if (!isText && !lists.some((list) => theirWords.every((word) => list.has(word)))) {
        for (const word of theirWords) if (!words.has(word)) missing.add(`${place}=${word}`);
      }
      for (const part of parts) {
        if (parts.length > 1 && refused.has(nameOf(part) ?? '')) continue;
        if (part.getCallSignatures().length > 0) compareCalls(part, objects, place);
        else if (part.flags & IS_OBJECT && isTheirs(part)) compareMembers(part, objects, nameOf(part) ?? place);
      }
    }
  }

  function compareCalls(theirs: ts.Type, ours: readonly ts.Type[], path: string): void {
    const own = ours.flatMap((type) => [...type.getCallSignatures()]);
    if (own.length === 0) return;
    for (const signature of theirs.getCallSignatures()) {
      for (const [index, parameter] of signature.getParameters().entries()) {
        const counterparts = own.flatMap((other) => other.getParameters()[index] ?? []);
        const types = counterparts.map((symbol) => checker.getTypeOfSymbol(symbol));
        compare([checker.getTypeOfSymbol(parameter)], types, `${path}(${parameter.name})`);
      }
      const results = own.map((other) => other.getReturnType());
      compare([signature.getReturnType()], results, `${path}()`);
    }
  }

  function compareMembers(theirs: ts.Type, objects: readonly ts.Type[], path: string): void {
    const ours = objects.filter((type) => agree(theirs, type));
    if (visited.has(theirs)) return;
    if (ours.length === 0) {
      const words = literalsOf(theirs).map(([name, word]) => `${path}.${name}=${word}`);
      missing.add(words[0] ?? path);
      return;
    }
    visited.add(theirs);
    const ourIndexes = ours.flatMap((type) => checker.getIndexInfosOfType(type)).map(({ type }) => type);
    for (const { type } of checker.getIndexInfosOfType(theirs)) compare([type], ourIndexes, `${path}.*`);
    for (const member of checker.getPropertiesOfType(theirs).filter(isPublic)) {
      const own = ours.flatMap((type) => checker.getPropertyOfType(type, member.name) ?? []);
      const types = [...own.map((symbol) => checker.getTypeOfSymbol(symbol)), ...(own.length === 0 ? ourIndexes : [])];
      const nodes = member.declarations ?? [];
      if (types.length > 0) compare([checker.getTypeOfSymbol(member)], types, `${path}.${member.name}`);
      else if (!nodes.some((node) => listed.has(node))) missing.add(`${path}.${member.name}`);
      for (const node of nodes) listed.add(node);
    }
  }

  /** Whether no literal member, such as `type`, tells that the types are different variants. */
  function agree(theirs: ts.Type, ours: ts.Type): boolean {
    return literalsOf(theirs).every(([name, word]) => {
      const member = checker.getPropertyOfType(ours, name);
      const values = member === undefined ? [] : partsOf(checker.getTypeOfSymbol(member));
      return values.every((type) => !type.isStringLiteral()) || values.some((type) => isWord(type, word));
    });
  }

  function literalsOf(type: ts.Type): [name: string, word: string][] {
    return checker.getPropertiesOfType(type).flatMap((member): [string, string][] => {
      const value = checker.getTypeOfSymbol(member);
      return value.isStringLiteral() ? [[member.name, value.value]] : [];
    });
  }

  /** The parts of a union without null and undefined; of a container, those of its contents. */
  function partsOf(type: ts.Type): ts.Type[] {
    const present = checker.getNonNullableType(type);
    if (present.isUnion()) return present.types.flatMap(partsOf);
    const isContainer = checker.isArrayType(present) || checker.isTupleType(present) || isNamedContainer(present);
    if (!isContainer) return [present];
    return checker.getTypeArguments(present as ts.TypeReference).flatMap(partsOf);
  }

  function isNamedContainer({ symbol }: ts.Type): boolean {
    return (symbol as ts.Symbol | undefined) !== undefined && CONTAINERS.test(symbol.name);
  }

  function isTheirs(type: ts.Type): boolean {
    return isDeclaredByThem(type.symbol) || checker.getPropertiesOfType(type).some(isDeclaredByThem);
  }

  function isDeclaredByThem(symbol: ts.Symbol | undefined): boolean {
    return symbol?.declarations?.some((node) => node.getSourceFile().fileName.startsWith(folder)) === true;
  }

  /** The name of a type that the package declares, which is where its members are listed. */
  function nameOf({ aliasSymbol, symbol }: ts.Type): string | undefined {
    return [aliasSymbol, symbol].find((one) => one && one.flags & HAS_NAME && isDeclaredByThem(one))?.name;
  }
}

function isWord(type: ts.Type, word: string): boolean {
  return type.isStringLiteral() && type.value === word;
}

/** Symbols such as `Symbol.asyncIterator` have names that start so. */
export function isPublic({ name, declarations = [] }: ts.Symbol): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return !name.startsWith('__') && !declarations.some((node) => ts.getCombinedModifierFlags(node) & hidden);
}
