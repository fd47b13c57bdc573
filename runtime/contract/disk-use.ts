/** Disk usage of a store. */
export interface DiskUse {
  readonly sizeBytes: number;
  /** Whether an etcd member rejects writes because its database has reached its quota. Undefined for other stores. */
  readonly refusesWrites?: boolean;
  /** Usage of the data file, if this server writes it itself. */
  readonly file?: DataFileUse;
}

export interface DataFileUse {
  /** Maximum size that the memory map of the file and the limits of the process allow. */
  readonly limitBytes: number;
  /** Free bytes of the file system, for users other than root. */
  readonly availableBytes: number;
  /** Size of the file system. */
  readonly diskBytes: number;
  readonly commits: CommitTimes;
  /** Undefined if there is no change log. */
  readonly changeLog?: ChangeLogUse | undefined;
}

/** Progress of the change log compared to the data. */
export interface ChangeLogUse {
  /** Number of failed writes. Each is retried until it succeeds. */
  readonly failures: number;
  /** Number of revisions that are in the data file but not yet in the log. */
  readonly behind: number;
}

/** Upper bounds of the buckets of `CommitTimes`, in seconds: from 1 ms to 8 s, the bounds that etcd uses for its syncs. */
export const COMMIT_BOUNDS: readonly number[] = Array.from({ length: 14 }, (_, power) => 0.001 * 2 ** power);

/** Durations of commits, from the first page written to the end of the sync. */
export interface CommitTimes {
  /** Number of commits in each bucket. Commits above the last bound are in none. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sumSeconds: number;
  readonly failures: number;
}
