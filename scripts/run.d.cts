/** The command that runs `src/….ts`, or what it was built into, with these arguments under a Node.js that can. */
export function libraryCommand(given: readonly string[]): {
  readonly node: string;
  readonly args: string[];
  /** Variables besides those of this process. */
  readonly env: Readonly<Record<string, string>>;
};
