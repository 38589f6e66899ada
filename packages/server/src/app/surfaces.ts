import { createRemote } from '../remote/remote-surface.js';
import { createHealth } from './health.js';
import type { CreateSurface } from './surface.js';

/** Everything that the server answers, in the order in which it is asked. */
export const SURFACES: readonly CreateSurface[] = [createHealth, createRemote];
