'use strict';

// For programs that start the CLI. Tools that copy what a program uses follow `require.resolve`.
exports.script = resolveScript();

/** Undefined in a bundle. */
function resolveScript() {
  try {
    return require.resolve('./qwen.js');
  } catch {
    return undefined;
  }
}
