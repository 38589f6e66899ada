// The same package, required from CommonJS.
import sdk = require('@qwen/sdk');

export const { query, PERMISSION_MODES } = sdk;
export type Message = sdk.SDKMessage;
