import { isJsonObject, type JsonObject } from '@qwen/protocol';

/** Members that only qwen-code writes, of all versions. */
const MEMBERS =
  '$version advanced advisorModel agents artifact channels compactionModel context dualOutput env experimental ' +
  'extensions fastModel general goals hooksConfig ide imageModel mcp memory model modelFallbacks modelPricing omni ' +
  'outboundCorrelation output plansDirectory policy privacy review serve skills slashCommands stopHookBlockingCap ' +
  'visionBridgeTimeoutMs visionModel voiceModel worktree';
const FLAT_MEMBERS =
  'accessibility allowMCPServers allowedTools approvalMode autoAccept bugCommand chatCompression checkpointing ' +
  'contentGenerator contextFileName coreTools customThemes customWittyPhrases disableAutoUpdate disableCacheControl ' +
  'disableFuzzySearch disableLoadingPhrases disableUpdateNag dnsResolutionOrder enableOpenAILogging ' +
  'enableWelcomeBack enforcedAuthType excludeMCPServers excludeTools excludedProjectEnvVars fileFiltering ' +
  'folderTrust folderTrustFeature hasSeenIdeIntegrationNudge hideTips hideWindowTitle ideMode includeDirectories ' +
  'loadMemoryFromIncludeDirectories maxSessionTurns mcpServerCommand memoryImportFormat preferredEditor sandbox ' +
  'selectedAuthType sessionTokenLimit shellPager shellShowColor shouldUseNodePtyShell showCitations ' +
  'showLineNumbers skipLoopDetection skipNextSpeakerCheck skipStartupContext tavilyApiKey theme toolCallCommand ' +
  'toolDiscoveryCommand usageStatisticsEnabled useExternalAuth useRipgrep vimMode';
/** Members of objects that qwen has too. */
const NESTED: Readonly<Record<string, string>> = {
  tools:
    'allowed approvalMode autoAccept callCommand core disabled discoveryCommand eager exclude executionSandbox ' +
    'sandbox shell useRipgrep visible webSearch',
  security: 'auth folderTrust allowedHttpHookUrls',
  ui: 'accessibility compactMode customThemes enableWelcomeBack hideBanner hideTips hideWindowTitle statusLine',
  permissions: 'autoMode',
};

const TOP = new Set([...MEMBERS.split(' '), ...FLAT_MEMBERS.split(' ')]);

export function isOfQwenCode(json: unknown): json is JsonObject {
  if (!isJsonObject(json)) return false;
  return Object.entries(json).some(([name, value]) => {
    // A string is the model of both programs.
    if (name === 'model') return isJsonObject(value);
    if (name === 'sandbox') return !isJsonObject(value);
    if (TOP.has(name)) return true;
    const members = Object.hasOwn(NESTED, name) ? NESTED[name]?.split(' ') : undefined;
    return members !== undefined && isJsonObject(value) && members.some((member) => Object.hasOwn(value, member));
  });
}
