/** Where the documentation stands. */
export const DOCUMENTATION_URL = 'https://qwenlm.github.io/qwen-code-docs/';

/** Where a fault is reported. */
export const NEW_ISSUE_URL = 'https://github.com/QwenLM/qwen-code/issues/new';
