import { expect, test } from 'vitest';
import { isJsonObject } from './json-object.js';
import { createSettingsSchema } from './settings-document.js';
import { SETTING_MEANINGS } from './settings-meanings.js';

/** The paths of all members, with `*` for the names of records and the items of lists. */
function pathsOf(schema: unknown, path: string): string[] {
  if (!isJsonObject(schema)) return [];
  const { properties, additionalProperties, items } = schema;
  const under = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (isJsonObject(properties)) {
    return Object.entries(properties).flatMap(([name, member]) => [under(name), ...pathsOf(member, under(name))]);
  }
  return [...pathsOf(additionalProperties, under('*')), ...pathsOf(items, under('*'))];
}

test('the schema describes every member, and no other', () => {
  const document = createSettingsSchema();
  const paths = pathsOf(document, '');
  expect(paths.filter((path) => SETTING_MEANINGS[path] === undefined)).toEqual([]);
  const records = ['hooks.*', 'mcpServers.*', 'providers.*', 'modelOptions.prices.*', 'providers.*.options.prices.*'];
  expect(Object.keys(SETTING_MEANINGS).filter((path) => !paths.includes(path) && !records.includes(path))).toEqual([]);
  expect(document).toMatchObject({
    properties: {
      permissions: { properties: { deny: { type: 'array', description: SETTING_MEANINGS['permissions.deny'] } } },
      mcpServers: { additionalProperties: { description: SETTING_MEANINGS['mcpServers.*'] } },
    },
  });
});
