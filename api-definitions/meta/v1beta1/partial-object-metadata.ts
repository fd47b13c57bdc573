import { kind } from "../../vocabulary.ts";
import type { PartialObjectMetadata } from "../v1/partial-object-metadata.ts";
import type { ListOf } from "../v1/type-meta.ts";

/** Many objects of which only the metadata is of interest. */
export type PartialObjectMetadataList = ListOf<PartialObjectMetadata>;

export const partialObjectMetadataList = kind<PartialObjectMetadataList>({ unserved: true });
