/** A command of `portolan`. `table.ts` lists all of them. */
export interface Command {
  readonly summary: string;
  /** The arguments of the command, for the help text. */
  readonly usage?: string;
  /** The actions of the command; absent if it has none. A call must name one of them. */
  readonly actions?: Readonly<Record<string, Action>>;
  /** The flags of the command by name; `settings` stands for all settings of the service. */
  readonly flags?: 'settings' | Readonly<Record<string, string>>;
  /** Runs the command. Returns the exit code. */
  run(args: readonly string[]): Promise<number>;
}

export interface Action {
  readonly summary: string;
  readonly usage?: string;
}
