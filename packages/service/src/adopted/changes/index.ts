export { archiveFrames } from './archive.ts';
export { changesIn, type ReplayRange } from './segments.ts';
