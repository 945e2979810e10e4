import type { Action } from './command.ts';

/** Actions of `portolan clock`. The command table lists them without loading `clock.ts`. */
export const clockActions: Readonly<Record<string, Action>> = {
  now: { summary: 'prints service time, and its rate relative to real time' },
  freeze: { summary: 'stops service time, now or at a date', usage: '[DATE]' },
  advance: { summary: 'moves service time forward: 90s, 15m, 2h, 3d, 1w', usage: 'DURATION' },
  scale: { summary: 'makes service time run RATE times as fast as real time; 1 is normal', usage: 'RATE' },
};
