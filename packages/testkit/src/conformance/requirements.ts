export interface Requirement {
  /** Unique in the file. */
  readonly id: string;
  readonly title: string;
  readonly deferredTo?: number;
  readonly reason?: string;
}

export interface RequirementGroup {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Requirement[];
}

/**
 * Parses `requirements.json`: `{groups: [{id, title, rows: [{id, title, state}]}]}`, where `state` is `open`, with
 * an optional `reason`, or `deferred` with an `issue` number. Throws an Error that names the first invalid value.
 */
export function parseRequirements(text: string): RequirementGroup[] {
  const seen = new Set<string>();
  const { groups } = asRecord(JSON.parse(text), 'the file');
  return asList(groups, 'groups').map((group) => {
    const { id, title, rows } = asRecord(group, 'a group');
    return {
      id: asText(id, 'id of a group'),
      title: asText(title, `title of group ${String(id)}`),
      rows: asList(rows, `rows of group ${String(id)}`).map((row) => parseRow(row, seen)),
    };
  });
}

function parseRow(value: unknown, seen: Set<string>): Requirement {
  const row = asRecord(value, 'a row');
  const id = asText(row['id'], 'id of a row');
  if (seen.has(id)) throw new Error(`requirements: ${id} occurs twice`);
  seen.add(id);
  const title = asText(row['title'], `title of ${id}`);
  if (title.length > 80) throw new Error(`requirements: the title of ${id} is longer than 80 characters`);
  if (row['state'] === 'open') {
    return 'reason' in row ? { id, title, reason: asText(row['reason'], `reason of ${id}`) } : { id, title };
  }
  if (row['state'] === 'deferred' && typeof row['issue'] === 'number') return { id, title, deferredTo: row['issue'] };
  throw new Error(`requirements: ${id} is neither open nor deferred to an issue`);
}

function asRecord(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new Error(`requirements: ${what} is not an object`);
}

function asList(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`requirements: ${what} is not a list`);
}

function asText(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error(`requirements: ${what} is not text`);
}
