/** A command of `portolan`; `table.ts` lists all. */
export interface Command {
  readonly summary: string;
  /** Its arguments, for the help text. */
  readonly usage?: string;
  /** Its actions, one of which is required; absent if it has none. */
  readonly actions?: Readonly<Record<string, Action>>;
  /** Its flags by name; `settings` stands for all settings of the service. */
  readonly flags?: 'settings' | Readonly<Record<string, string>>;
  /** Returns the exit code. */
  run(args: readonly string[]): Promise<number>;
}

export interface Action {
  readonly summary: string;
  readonly usage?: string;
}
