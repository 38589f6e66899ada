import { expect, test } from 'vitest';
import { isCredential } from './credential-variables.js';

const KEY = 'a1b2c3d4e5f6a7b8c9d0';

test.each([
  'OPENAI_API_KEY',
  'ADMIN_TOKEN',
  'ADMIN_API_TOKEN',
  'ACCOUNT_AUTH_TOKEN',
  'DISCOUNT_TOKEN',
  'LIMIT_SECRET_TOKEN',
  'MYSQL_PWD',
  'GH_PAT',
  'NPM_CONFIG__AUTH',
  'BW_SESSION',
  'OP_SESSION_work',
])('the name %s says that it is a credential', (name) => {
  expect(isCredential(name, 'x')).toBe(true);
});

test.each([
  ['postgres://u:p@host/db'],
  ['postgres://u:p/w@host/db'],
  ['redis://:1234@host:6379'],
  ['redis://:12ab/cd@host:6379'],
  ['Server=db;User Id=sa;Password=hunter22;'],
  ['DefaultEndpointsProtocol=https;AccountName=x;AccountKey=abcd=='],
  ['host=db password=hunter22'],
  ['https://store.example.com/c?sv=2022&sig=abcdef'],
  ['https://hooks.slack.com/services/T000/B000/XXXX'],
  ['https://discord.com/api/webhooks/1/abc'],
  [`gsk_${KEY}`],
  [`hvs.${KEY}`],
  [`r8_${KEY}`],
])('a variable with a harmless name and the value %s is a credential', (value) => {
  expect(isCredential('SETTING', value)).toBe(true);
});

test.each([
  ['PWD', '/home/me'],
  ['MAX_TOKENS', '4096'],
  ['CLAUDE_CODE_MAX_OUTPUT_TOKENS', '4096'],
  ['TOKENIZERS_PARALLELISM', 'false'],
  ['SSH_AUTH_SOCK', '/run/agent'],
  ['XDG_SESSION_ID', '3'],
  ['DBUS_SESSION_BUS_ADDRESS', 'unix:path=/run/user/0/bus'],
  ['BASE_URL', 'http://127.0.0.1:8080/path'],
  ['PROXY', 'http://proxy.example.com:3128'],
  ['REPOSITORY', 'https://host:8443/team/app@v2'],
  ['GIT_AUTHOR_NAME', 'Ada'],
  ['KEYBOARD_LAYOUT', 'de'],
])('%s=%s is not a credential', (name, value) => {
  expect(isCredential(name, value)).toBe(false);
});
