// Shared by both streaming programs.

/** Records each delta; `print` writes the report as one JSON line. */
export function createReport() {
  const startedAt = performance.now();
  let firstAt;
  let lastAt;
  let deltas = 0;
  const latenciesMs = [];
  return {
    /**
     * @param {string} text has the server's clock in nanoseconds if the stream is paced.
     */
    note(text) {
      deltas += 1;
      lastAt = performance.now();
      firstAt ??= lastAt;
      const sentAt = Number.parseInt(text, 10);
      if (sentAt > 0) latenciesMs.push((Number(process.hrtime.bigint()) - sentAt) / 1e6);
    },
    /** @param {{ childProcessorMs: number, childMemoryBytes: number }} child */
    print(child) {
      const { user, system } = process.cpuUsage();
      const report = {
        deltas,
        wallMs: lastAt - startedAt,
        streamMs: lastAt - firstAt,
        processorMs: (user + system) / 1000 + child.childProcessorMs,
        childMemoryBytes: child.childMemoryBytes,
        ownMemoryBytes: process.resourceUsage().maxRSS * 1024,
        latenciesMs,
      };
      process.stdout.write(`${JSON.stringify(report)}\n`);
    },
  };
}
