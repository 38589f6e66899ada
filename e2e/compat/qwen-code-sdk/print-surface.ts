import { printSurface } from './surface.ts';

process.stdout.write(`${printSurface()}\n`);
