import { isJsonObject } from '../json-object.js';
import { parseOrRepairJson } from './repair-json.js';

/** The keywords of JSON Schema that are used. */
interface Schema {
  readonly type?: unknown;
  readonly properties?: unknown;
  readonly required?: unknown;
  readonly items?: unknown;
  readonly enum?: unknown;
  readonly maximum?: unknown;
  readonly minLength?: unknown;
  readonly anyOf?: unknown;
  readonly oneOf?: unknown;
}

export interface CanonicalInput {
  readonly input: unknown;
  /** What differs from the call in its meaning, for the model. */
  readonly notes: readonly string[];
}

const OLD_STRING =
  'old_str old_text old search find search_string search_text original old_content old_code target target_content';
const NEW_STRING =
  'new_str new_text new replace replacement replace_string replace_text updated new_content new_code replace_with replacement_content';
const REPLACE_ALL = 'allow_multiple global all_occurrences all';

/** Names that models give to members of the built-in tools, by the names of this program. In order of preference. */
const MEMBER_ALIASES: Readonly<Record<string, string>> = {
  file_path: 'absolute_path path file filename target_file relative_path abs_path file_name path_to_file notebook_path',
  path: 'directory dir dir_path directory_path folder folder_path file_path absolute_path target_directory relative_workspace_path search_path root',
  paths: 'files file_paths filenames path file_path include',
  directory: 'cwd workdir working_directory work_dir working_dir current_directory dir dir_path folder path',
  content: 'contents text file_text file_content file_contents data body code code_content new_content',
  'todos.content': 'task step text title description name todo',
  'todos.status': 'state',
  old_string: OLD_STRING,
  new_string: NEW_STRING,
  replace_all: REPLACE_ALL,
  edits: 'edit changes replacements operations replacement_chunks',
  'edits.old_string': OLD_STRING,
  'edits.new_string': NEW_STRING,
  'edits.replace_all': REPLACE_ALL,
  command: 'cmd script shell_command bash_command command_line commands code input',
  timeout: 'timeout_ms timeout_millis timeout_milliseconds yield_time_ms max_time_ms wait wait_ms delay_ms',
  description: 'explanation justification title',
  is_background: 'background run_in_background async',
  task_id: 'bash_id shell_id id task process_id session_id background_task_id',
  pattern:
    'query regex regexp search_pattern glob_pattern search search_term search_query text glob q expression filter wait_for until',
  glob: 'include include_pattern file_pattern file_glob includes glob_filter files',
  limit: 'max_results head_limit max_count num_lines line_count max_lines n_lines count length',
  offset: 'start_line start line_offset from_line line_start start_line_one_indexed line_number',
  todos: 'items list tasks plan todo_list entries',
  ignore: 'exclude ignore_patterns exclude_patterns',
  exclude: 'ignore exclude_patterns excludes',
  url: 'uri link href address website page target_url web_url urls',
  prompt: 'task instructions message query input',
  subagent_type: 'agent agent_type agent_name type subagent',
  plan: 'text content markdown',
  query: 'q search_query search_term search_terms keywords queries',
  allowed_domains: 'include_domains domains sites',
  blocked_domains: 'exclude_domains excluded_domains',
  skill: 'name skill_name skill_id command',
  args: 'arguments argument input prompt',
};

/** Words for a choice that has another name here. */
const CHOICES: ReadonlyMap<string, string> = new Map([
  ['done', 'completed'],
  ['complete', 'completed'],
  ['finished', 'completed'],
  ['todo', 'pending'],
  ['notstarted', 'pending'],
  ['open', 'pending'],
  ['active', 'in_progress'],
  ['doing', 'in_progress'],
  ['started', 'in_progress'],
]);

const WRAPPERS = ['input', 'arguments', 'args', 'parameters', 'params', 'kwargs', 'properties'];

export interface CanonicalOptions {
  /** Whether the names that models give to members of built-in tools are understood. */
  readonly hasAliases?: boolean;
}

/**
 * The input of a call as its schema wants it, where the meaning is certain; otherwise unchanged, so that validation
 * names the problem. Idempotent.
 */
export function canonicalInput(schema: Schema, input: unknown, options: CanonicalOptions = {}): CanonicalInput {
  const notes: string[] = [];
  const reader = new InputReader(options.hasAliases === true, notes);
  return { input: reader.root(schema, input), notes };
}

class InputReader {
  readonly #hasAliases: boolean;
  readonly #notes: string[];

  constructor(hasAliases: boolean, notes: string[]) {
    this.#hasAliases = hasAliases;
    this.#notes = notes;
  }

  root(schema: Schema, input: unknown): unknown {
    let value = input ?? {};
    if (typeof value === 'string') value = parsedObject(value) ?? value;
    if (Array.isArray(value) && value.length === 1 && isJsonObject(value[0])) value = value[0];
    if (!isJsonObject(value)) return this.#single(schema, value) ?? value;
    return this.#object(schema, this.#unwrapped(schema, value));
  }

  /** A bare value for the only required member. */
  #single(schema: Schema, value: unknown): unknown {
    const [name, ...others] = requiredOf(schema);
    if (name === undefined || others.length > 0 || typeof value !== 'string') return undefined;
    const { type } = propertiesOf(schema)[name] ?? {};
    return type === 'string' && value.trim() !== '' ? { [name]: value } : undefined;
  }

  /** `{ arguments: { … } }`, with or without the name of the tool, or with another name if nothing is missing. */
  #unwrapped(schema: Schema, value: Members, depth = 0): Members {
    const properties = propertiesOf(schema);
    const names = Object.keys(value).filter((name) => !['name', 'tool', 'tool_name', 'type', 'id'].includes(name));
    const [wrapper, ...others] = names;
    if (wrapper === undefined || others.length > 0) return value;
    if (wrapper in properties || depth > 2) return value;
    if (Object.keys(value).some((name) => name !== wrapper && name in properties)) return value;
    const inner = value[wrapper];
    const object = typeof inner === 'string' ? parsedObject(inner) : inner;
    if (!isJsonObject(object)) return value;
    const own = this.#unwrapped(schema, object, depth + 1);
    const known = this.#renamed(schema, own);
    const isWhole = this.#hasAliases && requiredOf(schema).every((name) => Object.hasOwn(known, name));
    if (!WRAPPERS.includes(wrapper) && !isWhole) return value;
    return Object.keys(known).some((name) => name in properties) ? own : value;
  }

  #object(schema: Schema, value: Members, parent = ''): Members {
    const properties = propertiesOf(schema);
    const required = requiredOf(schema);
    const result: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(this.#renamed(schema, value, parent))) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const isOptional = property !== undefined && !required.includes(name);
      if (isOptional && isAbsent(property, member)) continue;
      define(result, name, property === undefined ? member : this.#value(property, member, name));
    }
    return result;
  }

  /** With the names of the schema. A name that the schema has stays, unless its value stands for an absent member. */
  #renamed(schema: Schema, value: Members, parent = ''): Members {
    const properties = propertiesOf(schema);
    const names = Object.keys(properties);
    if (names.length === 0 || Object.keys(value).every((name) => Object.hasOwn(properties, name))) return value;
    const result: Record<string, unknown> = {};
    const isGiven = (name: string) => Object.hasOwn(properties, name) && !isAbsent(properties[name] ?? {}, value[name]);
    const claimed = new Set(Object.keys(value).filter(isGiven));
    const own = new Map<string, string>();
    for (const wanted of names) {
      if (claimed.has(wanted)) continue;
      const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name) && !own.has(name));
      const found = this.#aliasesOf(wanted, parent)
        .map((alias) => unknown.filter((name) => keyOf(name) === keyOf(alias)))
        .find((matches) => matches.length > 0);
      if (found?.length === 1 && found[0] !== undefined) own.set(found[0], wanted);
    }
    const replaced = new Set(own.values());
    for (const [name, member] of Object.entries(value)) {
      if (own.has(name) || !replaced.has(name)) define(result, own.get(name) ?? name, member);
    }
    return result;
  }

  #aliasesOf(name: string, parent: string): readonly string[] {
    if (!this.#hasAliases) return [name];
    const key = parent === '' ? name : `${parent}.${name}`;
    return [name, ...(Object.hasOwn(MEMBER_ALIASES, key) ? (MEMBER_ALIASES[key] ?? '').split(' ') : [])];
  }

  #value(schema: Schema, value: unknown, name: string): unknown {
    const chosen = choiceOf(schema.enum, value);
    if (chosen !== undefined) return chosen;
    const types = typesOf(schema);
    if (this.#hasAliases && typeof value === 'string' && PATH_MEMBERS.has(name) && types.includes('string'))
      return plainPath(value);
    const type = typeName(value);
    if (types.includes(type) || (type === 'integer' && types.includes('number')))
      return this.#inner(schema, value, name);
    if (types.length === 0) return value;
    // If several types are allowed, only one may match.
    const converted = types.flatMap((wanted) => {
      const result = wanted === 'string' && isJsonObject(value) ? this.#written(value, name) : convert(wanted, value);
      return result === undefined ? [] : [result];
    });
    if (converted.length === 1) return this.#inner(schema, converted[0], name);
    if (converted.length === 0 && types.includes('array')) return this.#listed(schema, value, name);
    return value;
  }

  #inner(schema: Schema, value: unknown, name: string): unknown {
    if (isJsonObject(value)) return schema.properties === undefined ? value : this.#object(schema, value, name);
    if (Array.isArray(value)) return this.#items(schema, value, name);
    const { maximum } = schema;
    if (typeof value !== 'number' || typeof maximum !== 'number' || value <= maximum) return value;
    this.#notes.push(`${name} ${value} is above the maximum; ${maximum} applies.`);
    return maximum;
  }

  #items(schema: Schema, value: readonly unknown[], name: string): unknown[] {
    const { items } = schema;
    return isJsonObject(items) ? value.map((item) => this.#value(items, item, name)) : [...value];
  }

  /** An object where a text is wanted. The built-in tools take none but file contents. */
  #written(value: Members, name: string): string | undefined {
    if (!this.#hasAliases) return JSON.stringify(value);
    return name === 'content' ? `${JSON.stringify(value, null, 2)}\n` : undefined;
  }

  /** One item without its list. */
  #listed(schema: Schema, value: unknown, name: string): unknown {
    const { items } = schema;
    if (!isJsonObject(items) || value === null) return value;
    const [only, ...others] = isJsonObject(value) ? Object.values(value) : [];
    if (Array.isArray(only) && others.length === 0) return this.#items(schema, only, name);
    const wanted = typesOf(items);
    const fits = isJsonObject(value)
      ? wanted.includes('object')
      : typeof value === 'string' && wanted.includes('string');
    return fits ? this.#items(schema, [value], name) : value;
  }
}

type Members = Readonly<Record<string, unknown>>;

const PATH_MEMBERS: ReadonlySet<string> = new Set(['file_path', 'path', 'paths', 'directory']);

/** Without the quotes, line ends or scheme that models put around a path. */
function plainPath(path: string): string {
  const inner = path.replaceAll(/^[\r\n]+|[\r\n]+$/g, '').replace(/^(["'`])(.+)\1$/s, '$2');
  const url = /^file:\/\/(?:localhost)?(\/.+)$/.exec(inner)?.[1];
  const plain = url === undefined ? inner : decodedUrl(url);
  return plain === path ? path : plainPath(plain);
}

function decodedUrl(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** `null`, or an empty text where text must not be empty. */
function isAbsent(schema: Schema, value: unknown): boolean {
  const types = typesOf(schema);
  if (value === null) return types.length > 0 && !types.includes('null');
  if (value === 'null' || value === 'None' || value === 'undefined')
    return types.length > 0 && !types.includes('string') && !types.includes('null');
  if (value !== '') return false;
  return types.includes('string') ? schema.minLength === 1 : types.length > 0;
}

function convert(type: string, value: unknown): unknown {
  switch (type) {
    case 'integer':
    case 'number': {
      if (typeof value !== 'string' || !/^\s*-?\d+(?:\.\d+)?\s*$/.test(value)) return undefined;
      const number = Number(value);
      return type === 'number' || Number.isSafeInteger(number) ? number : undefined;
    }
    case 'boolean': {
      const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
      if (word === 'true' || word === 'yes' || word === 1) return true;
      return word === 'false' || word === 'no' || word === 0 ? false : undefined;
    }
    case 'string':
      if (typeof value === 'number' || typeof value === 'boolean') return String(value);
      if (Array.isArray(value)) return value.length === 1 && typeof value[0] === 'string' ? value[0] : undefined;
      return undefined;
    case 'object':
      return typeof value === 'string' ? parsedObject(value) : undefined;
    case 'array': {
      const list = typeof value === 'string' && /^\s*\[/.test(value) ? parseOrRepairJson(value) : undefined;
      return Array.isArray(list) ? list : undefined;
    }
    default:
      return undefined;
  }
}

function parsedObject(text: string): Members | undefined {
  if (!/^\s*(?:[{"]|```)/.test(text)) return undefined;
  const value = parseOrRepairJson(text);
  return isJsonObject(value) ? value : undefined;
}

function choiceOf(choices: unknown, value: unknown): unknown {
  if (!Array.isArray(choices) || typeof value !== 'string' || choices.includes(value)) return undefined;
  const same = choices.filter((choice) => typeof choice === 'string' && keyOf(choice) === keyOf(value));
  if (same.length === 1) return same[0];
  const other = CHOICES.get(keyOf(value));
  return other !== undefined && choices.includes(other) ? other : undefined;
}

function keyOf(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '');
}

function typesOf({ type, anyOf, oneOf }: Schema): readonly string[] {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string');
  const variants = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  return variants.flatMap((variant) => (isJsonObject(variant) ? typesOf(variant) : []));
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function propertiesOf({ properties }: Schema): Readonly<Record<string, Schema>> {
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).filter((entry): entry is [string, Schema] => isJsonObject(entry[1])),
  );
}

function requiredOf({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** A member named `__proto__` is data, too. */
function define(object: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
