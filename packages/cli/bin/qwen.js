#!/usr/bin/env node
// Only syntax that old versions of Node.js parse, so that they print a clear error instead of a syntax error.
'use strict';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `qwen: Node.js 22.13 or newer is required, but ${process.execPath} is ${process.versions.node}. Install a newer Node.js from https://nodejs.org\n`,
  );
  process.exitCode = 4;
} else {
  // They turn this process, started by a packaged app, into Node or Bun; programs that it starts must not inherit them.
  delete process.env.ELECTRON_RUN_AS_NODE;
  delete process.env.BUN_BE_BUN;
  const { loadProgram } = require('./load-program.js');
  loadProgram('start.cjs').main.main();
}
