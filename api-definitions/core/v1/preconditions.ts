/** What must still be true of an object for a change to go ahead. */
export interface Preconditions {
  /** The object's uid. */
  uid?: string;
}
