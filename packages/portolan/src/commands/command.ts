/** What can be typed behind `portolan`. The table of all of them is `table.ts`. */
export interface Command {
  readonly summary: string;
  /** What it takes behind its name, as people read it. */
  readonly usage?: string;
  /** The words of which one has to follow; absent: none has. */
  readonly actions?: Readonly<Record<string, Action>>;
  /** Flags of its own, by name; `settings`: every setting of the service. */
  readonly flags?: 'settings' | Readonly<Record<string, string>>;
  /** Answers the exit code. */
  run(args: readonly string[]): Promise<number>;
}

export interface Action {
  readonly summary: string;
  readonly usage?: string;
}
