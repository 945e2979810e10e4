import type { Action } from './command.ts';

/** What `portolan clock` does; beside it, since a start reads the table of commands and not what they do. */
export const clockActions: Readonly<Record<string, Action>> = {
  now: { summary: 'says service time and how fast it goes' },
  freeze: { summary: 'lets it stand still, now or at a date', usage: '[DATE]' },
  advance: { summary: 'moves it on: 90s, 15m, 2h, 3d, 1w', usage: 'DURATION' },
  scale: { summary: 'seconds of service time per second; 1 lets it go as usual', usage: 'RATE' },
};
