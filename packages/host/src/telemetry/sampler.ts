import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import { AgentError } from '@qwen/protocol';

type Root = (ratio: number) => Sampler;

const ROOTS: Readonly<Record<string, Root>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
};
const PARENT_BASED = 'parentbased_';

/** Default: the parent's decision, else always on. Throws `usage` for an unknown name. */
export function toSampler(name = 'parentbased_always_on', argument?: string): Sampler {
  const isParentBased = name.startsWith(PARENT_BASED);
  const rootName = isParentBased ? name.slice(PARENT_BASED.length) : name;
  const createRoot = Object.hasOwn(ROOTS, rootName) ? ROOTS[rootName] : undefined;
  if (createRoot === undefined) {
    throw new AgentError('usage', `OTEL_TRACES_SAMPLER must name a supported sampler, not "${name}"`);
  }
  const root = createRoot(toRatio(argument));
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

function toRatio(argument: string | undefined): number {
  const ratio = argument === undefined ? 1 : Number(argument);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new AgentError('usage', `OTEL_TRACES_SAMPLER_ARG needs a number from 0 to 1, not "${argument}"`);
}
