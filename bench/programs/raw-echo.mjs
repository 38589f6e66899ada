// Baseline of a key press: echoes keys in raw mode.
process.stdin.setRawMode(true);
process.stdin.on('data', (keys) => process.stdout.write(keys));
process.stdout.write('\u001b[?2004h');
