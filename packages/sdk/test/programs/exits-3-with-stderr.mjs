// Says on stderr why it cannot start, and exits with code 3.
process.stderr.write('first line\nthe configuration is broken\n');
process.exitCode = 3;
