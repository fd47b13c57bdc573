/** Conditions that must hold for an operation to be carried out. */
export interface Preconditions {
  /** UID that the object must have. The operation fails if it has another one. */
  uid?: string;
}
