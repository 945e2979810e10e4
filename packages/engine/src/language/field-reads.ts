/** Collects the top-level document fields that a pipeline or filter reads. */
export class FieldReads {
  readonly #names = new Set<string>();
  #readsWholeDocument = false;

  /** Records the read of a path, which may be dotted; `undefined` means the whole document. */
  add(path: string | undefined): void {
    if (path === undefined) this.#readsWholeDocument = true;
    else this.#names.add(path.split('.', 1)[0] as string);
  }

  /** The top-level fields that are read; `undefined` if any field may be read. */
  get fields(): ReadonlySet<string> | undefined {
    return this.#readsWholeDocument ? undefined : this.#names;
  }
}
