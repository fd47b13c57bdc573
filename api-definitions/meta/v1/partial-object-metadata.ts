import { kind } from "../../vocabulary.ts";
import type { ListOf, Namespaced } from "./type-meta.ts";

/**
 * An object of any kind reduced to its metadata. Clients that need only names, labels or owners can request it with
 * `as=PartialObjectMetadata` in the `Accept` header.
 */
export interface PartialObjectMetadata extends Namespaced {}

/**
 * A list of objects reduced to their metadata. Clients can request it with `as=PartialObjectMetadataList` in the
 * `Accept` header.
 */
export type PartialObjectMetadataList = ListOf<PartialObjectMetadata>;

export const partialObjectMetadata = kind<PartialObjectMetadata>({ unserved: true });

export const partialObjectMetadataList = kind<PartialObjectMetadataList>({ unserved: true });
