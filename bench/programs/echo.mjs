// The floor of a round trip: what comes in goes out.
process.stdin.pipe(process.stdout);
