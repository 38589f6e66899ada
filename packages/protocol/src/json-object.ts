export type JsonObject = Readonly<Record<string, unknown>>;

/** False for null and arrays. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
