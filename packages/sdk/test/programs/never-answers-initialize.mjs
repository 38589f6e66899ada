// Hangs at start: reads, says nothing, and leaves only when it is told to.
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
