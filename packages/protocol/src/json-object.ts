/** An object that came from JSON, its members still unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects, not for null and not for lists. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
