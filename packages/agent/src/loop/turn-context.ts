import type { Model } from '@qwen/models';
import type { PermissionMode, SessionRecord } from '@qwen/protocol';
import type { AgentEvent } from '../events.js';
import type { RuleSet } from '../permission/rule-set.js';
import type { Clock, PathResolver, PermissionPort } from '../ports.js';
import type { Conversation } from '../session/conversation.js';
import type { AnyTool } from '../tool.js';
import type { TurnControl } from './turn-control.js';
import type { TurnTally } from './turn-tally.js';

/** What the app may change while a turn runs; read afresh for each model call and each decision. */
export interface LiveSettings {
  readonly model: string;
  readonly tools: readonly AnyTool[];
  readonly permissionMode: PermissionMode;
}

/** What one turn works with. */
export interface TurnContext {
  readonly cwd: string;
  readonly systemPrompt: string;
  readonly maxModelCalls: number;
  readonly control: TurnControl;
  readonly tally: TurnTally;
  readonly conversation: Conversation;
  readonly rules: RuleSet;
  readonly permissions: PermissionPort;
  readonly paths: PathResolver;
  readonly clock: Clock;
  readonly settings: () => LiveSettings;
  readonly loadModel: (id: string) => Promise<Model>;
  /** Writes a record and then makes it part of the conversation. Rejects with the error of the log. */
  readonly record: (record: SessionRecord) => Promise<void>;
  /** Shows an event at once, out of the order of the turn: it must not need to wait for anything. */
  readonly showLive: (event: AgentEvent) => void;
}
