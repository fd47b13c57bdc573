/** A component that works in the background of a test, such as an informer or a manager of controllers. */
export interface SettlingPart {
  /** Resolves when there is no work left until something changes or time passes. */
  idle(): Promise<void>;
  /** Returns a number that changes whenever the component does something. */
  activity?(): number;
}

/** Waits until several components are idle at the same time. */
export interface Settling {
  /** Adds a component to wait for. The returned function removes it. */
  join(part: SettlingPart): () => void;
}
