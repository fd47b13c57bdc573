import { kind } from "../../vocabulary.ts";
import type { PartialObjectMetadata } from "../v1/partial-object-metadata.ts";
import type { ListOf } from "../v1/type-meta.ts";

/**
 * A list of objects reduced to their metadata. Clients can request it with `as=PartialObjectMetadataList` in the
 * `Accept` header.
 */
export type PartialObjectMetadataList = ListOf<PartialObjectMetadata>;

export const partialObjectMetadataList = kind<PartialObjectMetadataList>({ unserved: true });
