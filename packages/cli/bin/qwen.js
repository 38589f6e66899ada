#!/usr/bin/env node
// Kept so plain that any Node can read it: an old one must be told what is wrong, not shown a syntax error.
'use strict';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`qwen needs Node.js 22.13 or newer; this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  enableCompileCache();
  require('../dist/start.cjs').main.main();
}

/** In a folder of the user's own: what lies in a shared one could be somebody else's code. */
function enableCompileCache() {
  const { mkdirSync } = require('node:fs');
  const module = require('node:module');
  const { homedir } = require('node:os');
  const { join } = require('node:path');
  try {
    const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'qwen', 'compile');
    if (!process.env.NODE_COMPILE_CACHE) mkdirSync(folder, { recursive: true, mode: 0o700 });
    module.enableCompileCache(process.env.NODE_COMPILE_CACHE || folder);
  } catch {
    // Starting takes a little longer then.
  }
}
