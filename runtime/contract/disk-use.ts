/** What a store takes on a disk. */
export interface DiskUse {
  readonly sizeBytes: number;
  /** Whether a member of etcd refuses writes, as its database has reached its quota; undefined for another store. */
  readonly refusesWrites?: boolean;
  /** Of a file that this server writes itself. */
  readonly file?: DataFileUse;
}

export interface DataFileUse {
  /** Largest size that the memory map of the file and the limits of the process allow. */
  readonly limitBytes: number;
  /** Free bytes of the file system, for users other than root. */
  readonly availableBytes: number;
  /** Size of the file system. */
  readonly diskBytes: number;
  readonly commits: CommitTimes;
  /** Undefined without a change log. */
  readonly changeLog?: ChangeLogUse | undefined;
}

/** How the change log keeps up with the data. */
export interface ChangeLogUse {
  /** Writes that failed; each is repeated until it succeeds. */
  readonly failures: number;
  /** Number of revisions that are in the data file and not yet in the log. */
  readonly behind: number;
}

/** Upper bounds of the buckets of `CommitTimes`, in seconds: from 1 ms to 8 s, as etcd has them for its syncs. */
export const COMMIT_BOUNDS: readonly number[] = Array.from({ length: 14 }, (_, power) => 0.001 * 2 ** power);

/** How long commits took, from the first page that is written to the end of the sync. */
export interface CommitTimes {
  /** Number of commits in each bucket; those above the last bound are in none. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sumSeconds: number;
  readonly failures: number;
}
