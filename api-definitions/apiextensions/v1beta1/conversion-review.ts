import type { Status } from "../../meta/v1/status.ts";
import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic, type RawObject } from "../../vocabulary.ts";

/** What a conversion webhook is asked, and what it answers. */
export interface ConversionReview extends TypeMeta {
  /** The question. */
  request?: ConversionRequest;
  /** The answer. */
  response?: ConversionResponse;
}

/** Objects to convert. */
export interface ConversionRequest {
  /** Id of the question. */
  uid: string;
  /** Version to convert to. */
  desiredAPIVersion: string;
  /** The objects. */
  objects: ListAtomic<RawObject>;
}

/** Converted objects. */
export interface ConversionResponse {
  /** Id of the question. */
  uid: string;
  /** The objects, in the order they came. */
  convertedObjects: ListAtomic<RawObject>;
  /** Whether it worked. */
  result: Status;
}

export const conversionReview = kind<ConversionReview>({
  unserved: true,
  introduced: "1.13",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "apiextensions.<domain>/v1 ConversionReview",
});
