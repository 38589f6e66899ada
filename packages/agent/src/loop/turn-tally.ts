import { addUsage, NO_USAGE, type PermissionDenial, type Usage } from '@qwen/protocol';

/** What a turn has used up so far. */
export class TurnTally {
  modelCalls = 0;
  /** Milliseconds spent waiting for the model. */
  durationApiMs = 0;
  usage: Usage = NO_USAGE;
  readonly denials: PermissionDenial[] = [];

  addUsage(usage: Usage): void {
    this.usage = addUsage(this.usage, usage);
  }
}
