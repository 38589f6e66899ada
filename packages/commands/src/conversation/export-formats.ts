export const EXPORT_FORMATS = ['md', 'json', 'jsonl', 'html', 'atif'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
