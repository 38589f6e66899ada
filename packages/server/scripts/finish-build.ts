// The last step of `build`: only those declarations that apps can reach.
import { keepReachableDeclarations } from '@qwen/build/reachable-declarations.js';

await keepReachableDeclarations('dist', ['index.d.ts']);
