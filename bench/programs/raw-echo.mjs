// The least that a program in a terminal does with a key: read it raw and write it back.
process.stdin.setRawMode(true);
process.stdin.on('data', (keys) => process.stdout.write(keys));
process.stdout.write('\u001b[?2004h');
