declare const __QWEN_HOMEPAGE__: string;
declare const __QWEN_ISSUES_URL__: string;

/** The URLs in package.json. The build sets them. */
export const PROJECT_LINKS = { homepage: __QWEN_HOMEPAGE__, issuesUrl: __QWEN_ISSUES_URL__ };
