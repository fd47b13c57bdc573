import { kind } from "../../vocabulary.ts";
import type { ListOf, Namespaced } from "./type-meta.ts";

/** An object of any kind, of which only the metadata is of interest. */
export interface PartialObjectMetadata extends Namespaced {}

/** Many objects of which only the metadata is of interest. */
export type PartialObjectMetadataList = ListOf<PartialObjectMetadata>;

export const partialObjectMetadata = kind<PartialObjectMetadata>({ unserved: true });

export const partialObjectMetadataList = kind<PartialObjectMetadataList>({ unserved: true });
