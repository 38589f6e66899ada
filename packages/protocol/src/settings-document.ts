import { isJsonObject } from './json-object.js';
import { bareSchema, describeDocument, type JsonSchema } from './json-schema-document.js';
import { settingsSchema } from './settings.js';
import { SETTING_MEANINGS } from './settings-meanings.js';

export function createSettingsSchema(): JsonSchema {
  const described = describeMembers(bareSchema(settingsSchema), []);
  return describeDocument('qwen settings', described, 'Comments and trailing commas are accepted.');
}

function describeMembers(schema: JsonSchema, path: readonly string[]): JsonSchema {
  const meaning = SETTING_MEANINGS[path.join('.')];
  const { properties, additionalProperties, items } = schema;
  return {
    ...(meaning !== undefined && { description: meaning }),
    ...schema,
    ...(isJsonObject(properties) && { properties: describeProperties(properties, path) }),
    ...(isJsonObject(additionalProperties) &&
      !isJsonObject(properties) && { additionalProperties: describeMembers(additionalProperties, [...path, '*']) }),
    ...(isJsonObject(items) && { items: describeMembers(items, [...path, '*']) }),
  };
}

function describeProperties(properties: JsonSchema, path: readonly string[]): JsonSchema {
  const entries = Object.entries(properties).map(([name, member]) => [
    name,
    isJsonObject(member) ? describeMembers(member, [...path, name]) : member,
  ]);
  return Object.fromEntries(entries);
}
