// The parts that need Node.js: files, folders, processes.
export type { CommandFileNotice } from './custom/command-folder.js';
export { type CustomCommands, type CustomCommandsOptions, customCommands } from './custom/command-folder.js';
export { type TextCommand, textCommand } from './custom/read-command-file.js';
export type { FileCommand, PromptHost } from './custom/run-custom-command.js';
export { FileIndex, type FileIndexOptions, type FileView } from './files/file-index.js';
export { CheckpointFolder } from './node-host/checkpoint-folder.js';
export { addMemory, type MemoryPlace } from './node-host/memory.js';
export { runShellCommand, type ShellCommandOptions } from './node-host/run-shell-command.js';
export { systemClipboard } from './node-host/system-clipboard.js';
export { type WorkspaceFileOptions, workspaceFiles } from './node-host/workspace-file-access.js';
export { createFileReferences, type FileReferencesOptions } from './references/file-references.js';
