/**
 * Keeps `import … from 'node:http'` from loading undici, the HTTP client of Node.js, which takes 3 MB of memory. The
 * first import of a built-in module reads all its exports. Three exports of `node:http` are getters that load undici.
 * Nothing in this project uses them, so this file deletes them. The entry of a process imports this file, and then imports
 * with `await import(…)` the files that import `node:http`: Node.js reads the exports before it runs the first file of
 * an entry. The global `fetch` and `WebSocket` still work. They load undici when they are first used.
 */
import { createRequire } from 'node:module';

const http = createRequire(import.meta.url)('node:http');
for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) delete http[name];
