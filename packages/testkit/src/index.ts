export { type ByteReply, type ByteServer, type ReceivedRequest, startByteServer } from './byte-server.js';
export { createFakeClock, type FakeClock } from './fake-clock.js';
export { FAULTY_MCP_SERVER } from './faulty-mcp-server.js';
export { COMPILE_CACHES, isolatedEnvironment } from './isolated-environment.js';
export { LineProcess, type LineProcessOptions, type ProcessExit, startLineProcess } from './line-process.js';
export type { LineMatch, ProgramLine } from './line-transcript.js';
export {
  type ProviderWire,
  type ResponseHead,
  startWireServer,
  toResponse,
  type WireReply,
  type WireServer,
} from './misbehaving-provider.js';
export { type OAuthTweaks, type OAuthWorld, openOAuthWorld } from './oauth-world.js';
export { childrenOf, processGone, trackChildren, waitUntilGone } from './process-tree.js';
export { hasPrograms, programOnPath } from './program-on-path.js';
export {
  answerWithCall,
  type FaultOutcome,
  PROVIDER_FAULTS,
  type ProviderFault,
} from './provider-faults.js';
export { hasRedisServer, RedisServer } from './redis-server.js';
export { type ResourceBaseline, resourceBaseline } from './resource-baseline.js';
export {
  calls,
  lastText,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  says,
  startScriptedModel,
} from './scripted-model.js';
export { type TemporaryFolder, temporaryFolder } from './temporary-folder.js';
export { verifies } from './verifies.js';
