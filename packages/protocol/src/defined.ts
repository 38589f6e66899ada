type Present<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };
type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** The members that are not undefined: an optional member must be missing, also on the wire. */
export function defined<T extends object>(members: T): Present<T> & Optional<T>;
export function defined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
