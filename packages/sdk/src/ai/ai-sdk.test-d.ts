// Checked by the compiler, never run: what the AI SDK accepts.
import type { LanguageModelV4, ProviderV4 } from '@ai-sdk/provider';
import type { UIMessageChunk } from 'ai';
import { expectTypeOf } from 'vitest';
import { createQwen, type QwenLanguageModel, type QwenUIMessageChunk } from './index.js';

expectTypeOf<QwenLanguageModel>().toExtend<LanguageModelV4>();
expectTypeOf<QwenUIMessageChunk>().toExtend<UIMessageChunk>();
expectTypeOf(createQwen()).toExtend<ProviderV4>();
