/** Something that works in the background of a test, such as an informer or a manager of controllers. */
export interface SettlingPart {
  /** Resolves when nothing is left to do before something changes or time passes. */
  idle(): Promise<void>;
  /** A number that changes whenever it does something. */
  activity?(): number;
}

/** Waits for several parts to be idle together. */
export interface Settling {
  /** Waits for this part, too; the returned function ends that. */
  join(part: SettlingPart): () => void;
}
