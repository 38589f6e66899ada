'use strict';

const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { homedir } = require('node:os');
const path = require('node:path');
const vm = require('node:vm');

const PROGRAM = path.join(__dirname, '../dist');
/** Loaded with the first turn of a session, and with the screen. A process without them has compiled too little to keep. */
const FILES_WORTH_KEEPING = ['turn.cjs', 'terminal.cjs'];
/** Kept code that nobody read for so long is of a program or a Node that is gone. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;
const WRAPPER = ['(function (exports, require, module, __filename, __dirname) {', '\n})'];

/** Modules of the program by the name of their file. */
const modules = new Map();
/** What no code was kept for: the script and where its code belongs. */
const fresh = [];
const folder = codeFolder();

/**
 * Loads a file of the program and gives its exports. What V8 compiled of it is kept for the next process, as Node's own
 * compile cache does it; that one, however, keeps only what was compiled when a file began, and with it each process
 * compiles several hundred functions anew, a quarter of what a session of one turn costs (docs/decisions/0006).
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
  // V8 refuses what another V8, or one with other flags, has made.
  if (codeFile !== undefined && (cachedData === undefined || script.cachedDataRejected)) {
    if (fresh.length === 0) process.once('exit', keepCode);
    fresh.push({ script, codeFile });
  }
  return script;
}

/** Code made with other flags is refused, so that started with and without them the program keeps two. */
function flags() {
  return process.execArgv.map((flag) => flag.replace(/\W/g, '').slice(0, 40));
}

/** V8 tells sources apart by their length alone; the build ends each file with a digest of it. */
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

/** In a folder of the user's own: what lies in a shared one could be somebody else's code. */
function codeFolder() {
  const { NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME } = process.env;
  if (NODE_DISABLE_COMPILE_CACHE) return undefined;
  try {
    return path.join(XDG_CACHE_HOME || path.join(homedir(), '.cache'), 'qwen', 'compile');
  } catch {
    // Nobody knows a home; starting takes a little longer then.
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
    // The next process tries again.
  }
}

/** The file appears with its content in one step: V8 trusts what it finds in it. */
function keep(code, codeFile) {
  const prepared = `${codeFile}.${process.pid}`;
  try {
    writeFileSync(prepared, code, { flag: 'wx', mode: 0o600 });
    renameSync(prepared, codeFile);
  } finally {
    rmSync(prepared, { force: true });
  }
}

/** Only when new code was kept, as after an update: a start that finds its code looks at no other. */
function removeUnused() {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    // Systems note a use at most once a day, and some never; then what counts is when the code was kept.
    const { atimeMs, mtimeMs } = statSync(file);
    if (Date.now() - Math.max(atimeMs, mtimeMs) > UNUSED_MS) rmSync(file, { force: true });
  }
}

module.exports = { loadProgram };
