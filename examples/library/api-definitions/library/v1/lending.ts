import type { Namespaced } from "typeplane/meta/v1";
import { type Default, type Immutable, type Int32, kind, type Minimum, type Time } from "typeplane/vocabulary";

/** Says that somebody borrowed a book. */
export interface Lending extends Namespaced {
  /** Desired state of the lending. */
  spec: LendingSpec;
  /** Observed state of the lending. */
  status?: LendingStatus;
}

/** Who borrowed what, and for how long. */
export interface LendingSpec {
  /** Name of the Book, in the same namespace. */
  book: string & Immutable;
  /** Name of the person who borrowed the book. */
  reader: string;
  /** Hours after which it must be returned. Defaults to 2: it stays in the reading room. */
  hours?: Int32 & Minimum<1> & Default<2>;
}

/** Whether the book is late. */
export interface LendingStatus {
  /** When it must be returned. */
  dueAt?: Time;
  /** Whether that time has passed. */
  overdue?: boolean;
}

export const lending = kind<Lending>({ plural: "lendings", subresources: { status: true } });
