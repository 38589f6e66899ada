/** What a declaration file exports by name. */
export interface DeclaredExports {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

/**
 * Reads the exports of a declaration file that was written by hand: types that it declares, and lists, in which each
 * name is marked as a type or is a value. A file that exports in any other way is refused.
 */
export function readDeclaredExports(text: string): DeclaredExports {
  const values: string[] = [];
  const types: string[] = [];
  const lists = text.replaceAll(/^export (?:interface|type) (\w+)(?=[ <])/gm, (_whole, name) => {
    types.push(String(name));
    return '';
  });
  const rest = lists.replaceAll(/^export (type )?\{([^}]*)\}( from '[^']+')?;$/gm, (_whole, allTypes, list) => {
    for (const item of String(list).split(',')) {
      const [, isType, name] = /^\s*(type )?(?:\w+ as )?(\w+)\s*$/.exec(item) ?? [];
      if (name === undefined) continue;
      (allTypes === undefined && isType === undefined ? values : types).push(name);
    }
    return '';
  });
  if (/^export /m.test(rest)) throw new Error(`an export of another kind: ${/^export .*$/m.exec(rest)?.[0]}`);
  return { values: values.toSorted(), types: types.toSorted() };
}
