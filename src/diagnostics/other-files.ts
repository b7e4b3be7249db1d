/** What finding and reading other files needs. */
export interface OtherFiles {
  /** Absolute paths of files below `root` that have one of the words, likelier ones first. */
  mentioning(root: string, words: readonly string[], likelier: readonly string[]): Promise<readonly string[]>;
  /**
   * Absolute paths of the folders below `root` that hold a `package.json`, ignored ones and packages' own left out; none
   * where to look at so many would take long.
   */
  packages(root: string): Promise<readonly string[]>;
  /** The names in a folder; none where it can't be read, or that would take long. */
  names(folder: string): Promise<readonly string[]>;
  /** A file's text as the servers should see it; `undefined` where it can't be read. */
  text(path: string): Promise<string | undefined>;
  /** Something that differs when the file may have changed; `undefined` where there is none. */
  stamp(path: string): Promise<string | undefined>;
  /** Something that differs when an entry of a folder came or went; `undefined` where there is none. */
  folderStamp(path: string): Promise<string | undefined>;
}
