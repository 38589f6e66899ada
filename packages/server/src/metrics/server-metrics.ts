import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Buckets for turns and answers, in seconds. */
const LONG = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
/** Buckets for requests and writes, in seconds. */
const SHORT = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Clients name models, so the number of label values is limited. */
const MAX_MODELS = 50;

/** CPU, memory and event loop, which all servers of the process share. */
let ofProcess: Registry | undefined;

/** Reads a value when the metrics are requested; undefined if there is none. */
export type ReadValue = () => number | undefined | Promise<number | undefined>;

/**
 * What `/metrics` returns, in a separate registry. Loads `prom-client`, so import it on demand; others import only its
 * type. Labels have few values: no ids, paths, prompts or token names.
 */
export class ServerMetrics {
  readonly #registry = new Registry();
  readonly #models = new Set<string>();

  readonly requests = this.#histogram('qwen_http_request_seconds', 'Time to the first byte of the answer.', {
    buckets: SHORT,
    labelNames: ['method', 'route', 'status'],
  });
  readonly turns = this.#counter('qwen_turns_total', 'Ended turns, by outcome.', ['outcome']);
  readonly turnSeconds = this.#histogram('qwen_turn_seconds', 'Time from the start to the end of a turn.', {
    labelNames: ['outcome'],
  });
  readonly queueSeconds = this.#histogram('qwen_turn_wait_seconds', 'Time from a message to its turn.');
  readonly activeTurns = this.#gauge('qwen_turns_active', 'Turns that this process runs.');
  readonly firstAnswer = this.#histogram(
    'qwen_model_first_answer_seconds',
    'Time from the prompt to the first part of an answer.',
  );
  readonly modelSeconds = this.#histogram('qwen_model_seconds', 'Time that a turn waited for the model.');
  readonly tokens = this.#counter('qwen_model_tokens_total', 'Tokens, by model and kind.', ['model', 'kind']);
  readonly cost = this.#counter('qwen_model_cost_usd_total', 'Cost in US dollars, where prices are known.', ['model']);
  readonly approvalsWaiting = this.#gauge('qwen_approvals_waiting', 'Permission questions without an answer.');
  readonly approvals = this.#counter('qwen_approvals_total', 'Settled permission questions.', ['behavior', 'by']);
  readonly approvalSeconds = this.#histogram('qwen_approval_wait_seconds', 'Time to the answer of a question.');
  readonly leasesLost = this.#counter('qwen_leases_lost_total', 'Sessions lost to another process, or in doubt.');
  readonly jobsStalled = this.#counter('qwen_jobs_stalled_total', 'Jobs whose worker stopped renewing its lock.');
  readonly events = this.#counter('qwen_events_appended_total', 'Events written to the log.');
  readonly appendSeconds = this.#histogram('qwen_event_append_seconds', 'Time of a durable write to the log.', {
    buckets: SHORT,
  });
  readonly appendFailures = this.#counter('qwen_event_append_failures_total', 'Writes to the log that failed.');
  readonly deliveries = this.#counter('qwen_event_deliveries_total', 'Events handed to readers.');
  readonly readersCut = this.#counter('qwen_event_readers_cut_total', 'Readers that were too slow.');
  readonly evictions = this.#counter('qwen_events_evicted_total', 'Events that the retention removed.');
  readonly sessionsExpired = this.#counter('qwen_sessions_expired_total', 'Sessions that the retention removed.');
  readonly notices = this.#counter('qwen_notices_total', 'Warnings for the operator; the log has their text.');

  readonly contentType = this.#registry.contentType;

  /** A gauge that is read when the metrics are requested, and left out if that fails. */
  watch(name: string, help: string, read: ReadValue): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.#registry],
      async collect() {
        const value = await Promise.resolve()
          .then(read)
          .catch(() => undefined);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
    // Without labels, it starts at 0.
    gauge.remove();
  }

  /** A known model, or `other` once there are too many. */
  modelLabel(name: string): string {
    if (this.#models.has(name)) return name;
    if (this.#models.size >= MAX_MODELS || name.length > 100) return 'other';
    this.#models.add(name);
    return name;
  }

  /** In the text format of Prometheus. */
  async text(): Promise<string> {
    // They cost some time even when no one reads them.
    if (ofProcess === undefined) {
      ofProcess = new Registry();
      collectDefaultMetrics({ register: ofProcess });
    }
    return `${await this.#registry.metrics()}\n${await ofProcess.metrics()}`;
  }

  #counter<Label extends string = never>(name: string, help: string, labelNames: readonly Label[] = []) {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #gauge(name: string, help: string) {
    return new Gauge({ name, help, registers: [this.#registry] });
  }

  /** In seconds. */
  #histogram<Label extends string = never>(
    name: string,
    help: string,
    { buckets = LONG, labelNames = [] }: { readonly buckets?: number[]; readonly labelNames?: readonly Label[] } = {},
  ) {
    return new Histogram({ name, help, buckets, labelNames, registers: [this.#registry] });
  }
}
