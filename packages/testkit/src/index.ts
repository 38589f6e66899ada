export { calls, type ScriptedModel, type ScriptedReply, says, startScriptedModel } from './scripted-model.js';
export { verifies } from './verifies.js';
