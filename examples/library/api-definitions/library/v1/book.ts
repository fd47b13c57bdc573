import type { Namespaced } from "typeplane/meta/v1";
import { kind, type MinLength } from "typeplane/vocabulary";

/** A book of the library. Its catalogue card is a ConfigMap of the same name. */
export interface Book extends Namespaced {
  /** Desired state of the book. */
  spec: BookSpec;
  /** Observed state of the book. */
  status?: BookStatus;
}

/** What the book is. */
export interface BookSpec {
  /** Title on the card. */
  title: string & MinLength<1>;
  /** Author on the card; none for an anonymous work. */
  author?: string;
}

/** What the controller made of the book. */
export interface BookStatus {
  /** Name of the ConfigMap that is the card. */
  card?: string;
}

export const book = kind<Book>({ plural: "books", subresources: { status: true } });
