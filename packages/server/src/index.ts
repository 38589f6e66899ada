// HTTP and Server-Sent Events over `@qwen/sdk`. Empty until `qwen serve` is built; it stands here so that its entry
// and its place in the layering are settled.
export {};
