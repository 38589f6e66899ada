'use strict';

const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const path = require('node:path');
const vm = require('node:vm');

const PROGRAM = path.join(__dirname, '../dist');
/** A process that loads neither of these compiles too little to be worth caching. */
const FILES_WORTH_KEEPING = ['turn.cjs', 'terminal.cjs'];
/** Unused for this long, a cache entry belongs to a removed version of qwen or Node.js. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

/** Loaded modules by file name. */
const modules = new Map();
/** Scripts without a cache entry, and where to write it. */
const fresh = [];
const folder = codeFolder();

/**
 * Loads a file of the program and returns its exports. Caches the code that V8 compiled for the next process. Node's own
 * compile cache stores only functions compiled while the file loads; a process would compile several hundred others
 * again, a quarter of the cost of a one-turn session (docs/decisions/0006).
 */
function loadProgram(name) {
  const present = modules.get(name);
  if (present !== undefined) return present.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const filename = path.join(PROGRAM, name);
  compile(name, filename).runInThisContext()(module.exports, requireHere, module, filename, PROGRAM);
  return module.exports;
}

/** Not `require`, which bundlers warn about because the name is not constant. */
const requireOther = createRequire(__filename);

function requireHere(name) {
  return name.startsWith('./') ? loadProgram(name.slice(2)) : requireOther(name);
}

function compile(name, filename) {
  const source = readFileSync(filename, 'utf8');
  const codeFile =
    folder && path.join(folder, [name, digestIn(source), process.version, process.arch, ...flags()].join('-'));
  const cachedData = readIfPresent(codeFile);
  const script = new vm.Script(WRAPPER.join(source), {
    filename,
    columnOffset: -WRAPPER[0].length,
    cachedData,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  // V8 rejects code of another version of V8, or compiled with other flags.
  if (codeFile !== undefined && (cachedData === undefined || script.cachedDataRejected)) {
    if (fresh.length === 0) process.once('exit', keepCode);
    fresh.push({ script, codeFile });
  }
  return script;
}

/** Part of the name: V8 rejects code that was compiled with other flags. */
function flags() {
  return process.execArgv.map((flag) => flag.replace(/\W/g, '').slice(0, 40));
}

/** V8 compares only the lengths of sources, so the build ends each file with a digest. */
function digestIn(source) {
  return source.slice(-17, -1);
}

function readIfPresent(file) {
  try {
    return file === undefined ? undefined : readFileSync(file);
  } catch {
    return undefined;
  }
}

/** In the user's own cache folder: in a shared one, another user could plant code. */
function codeFolder() {
  const { NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE) return undefined;
  try {
    return path.join(XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'qwen', 'compile');
  } catch {
    // Without a home folder, nothing is cached.
    return undefined;
  }
}

function keepCode() {
  if (!FILES_WORTH_KEEPING.some((name) => modules.has(name))) return;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const { script, codeFile } of fresh) keep(script.createCachedData(), codeFile);
    removeUnused();
  } catch {
    // The next process retries.
  }
}

/** Atomic, because V8 trusts the content of the file. */
function keep(code, codeFile) {
  const prepared = `${codeFile}.${process.pid}`;
  try {
    writeFileSync(prepared, code, { flag: 'wx', mode: 0o600 });
    renameSync(prepared, codeFile);
  } finally {
    rmSync(prepared, { force: true });
  }
}

/** Runs only after a write, such as after an update, so a start from the cache reads no folder. */
function removeUnused() {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    // File systems update the access time at most once a day, and some never; then the time of writing counts.
    const { atimeMs, mtimeMs } = statSync(file);
    if (Date.now() - Math.max(atimeMs, mtimeMs) > UNUSED_MS) rmSync(file, { force: true });
  }
}

module.exports = { loadProgram };
