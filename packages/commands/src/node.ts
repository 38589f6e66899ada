// What needs Node.js: files, folders, programs.
export {};
