import { createModel } from '@qwen/models';
import { expect, test } from 'vitest';

test.for(['localhost:11434', 'not a url', 'file:///etc/passwd', 'https://user:secret@x.test/v1'])(
  'the base URL %s is refused before anything is loaded, without repeating it',
  async (baseUrl) => {
    const refusal = createModel({ family: 'openai-compatible', baseUrl });
    await expect(refusal).rejects.toMatchObject({ code: 'invalid_options' });
    await expect(refusal).rejects.not.toThrow('secret');
  },
);
