import type { Status } from "../../meta/v1/status.ts";
import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import { kind, type ListAtomic, type RawObject } from "../../vocabulary.ts";

export interface ConversionReview extends TypeMeta {
  request?: ConversionRequest;
  response?: ConversionResponse;
}

export interface ConversionRequest {
  uid: string;
  desiredAPIVersion: string;
  objects: ListAtomic<RawObject>;
}

export interface ConversionResponse {
  uid: string;
  convertedObjects: ListAtomic<RawObject>;
  result: Status;
}

export const conversionReview = kind<ConversionReview>({
  unserved: true,
  introduced: "1.13",
  deprecated: "1.19",
  removed: "1.22",
  replacement: "apiextensions.<domain>/v1 ConversionReview",
});
