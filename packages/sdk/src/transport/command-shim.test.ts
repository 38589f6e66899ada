import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { scriptOfCommandShim } from './command-shim.js';

const NPM_SHIM = `@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0
endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@qwen\\cli\\bin\\qwen.js" %*
`;

const PNPM_SHIM = `@IF EXIST "%~dp0\\node.exe" (
  "%~dp0\\node.exe"  "%~dp0\\..\\@qwen\\cli\\bin\\qwen.js" %*
)
`;

test('the script behind a .cmd file is found without a shell', () => {
  verifies('FB22', 'S90');
  expect(scriptOfCommandShim(NPM_SHIM, 'C:\\npm\\qwen.cmd')).toBe('C:\\npm\\node_modules\\@qwen\\cli\\bin\\qwen.js');
  expect(scriptOfCommandShim(PNPM_SHIM, 'C:\\a\\.bin\\qwen.cmd')).toBe('C:\\a\\@qwen\\cli\\bin\\qwen.js');
});

test('any other batch file is not started', () => {
  expect(scriptOfCommandShim('@echo off\r\nstart calc.exe', 'C:\\x\\qwen.cmd')).toBeUndefined();
});
