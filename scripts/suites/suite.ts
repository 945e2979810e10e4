/** A third-party test suite as data: how to set it up, run it and read its report. */
export interface ClientSuite {
  readonly name: string;
  /** The name of the client, for output. */
  readonly what: string;
  /** Where to get its source. */
  readonly source: string;
  /** Tests that are expected to fail. */
  readonly known: readonly KnownFailure[];
  /** Its tests connect without a user, and some to this port whatever their settings name. */
  readonly open?: { readonly port?: number };
  /** Commands that prepare it; commands whose `makes` exists are skipped. */
  readonly setUp: (places: SuiteFolders) => readonly Preparation[];
  /** Commands that run it, each of which writes a report. */
  readonly runs: (places: SuiteFolders, engine: EngineAddress) => readonly Run[];
}

export interface SuiteFolders {
  /** The folder with its source. */
  readonly source: string;
  /** A folder that is kept between runs, for other files that it needs. */
  readonly own: string;
}

/** The connection string of one replica set, with a user with all privileges. */
export interface EngineAddress {
  readonly uri: string;
  /** The port of its first member. */
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Preparation extends Command {
  /** A file or folder that exists once this command has succeeded. */
  readonly makes: string;
}

export interface Run extends Command {
  /** The part of the suite that it runs, for `--part`; absent if there is only one. */
  readonly part?: string;
  readonly report: string;
  /** How the report is written; default: JUnit. */
  readonly format?: 'go';
}

/** Tests that are expected to fail. */
export interface KnownFailure {
  /** `CLASS › NAME`, as the report has them; `*` stands for any text. */
  readonly test: string;
  readonly reason: string;
  /** The result depends on the load of the machine, so they may also pass. */
  readonly sometimes?: true;
}
