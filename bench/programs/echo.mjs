// Baseline of a round trip.
process.stdin.pipe(process.stdout);
