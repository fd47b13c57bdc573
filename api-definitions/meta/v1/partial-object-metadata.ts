import { kind } from "../../vocabulary.ts";
import type { ListOf, Namespaced } from "./type-meta.ts";

export interface PartialObjectMetadata extends Namespaced {}

export type PartialObjectMetadataList = ListOf<PartialObjectMetadata>;

export const partialObjectMetadata = kind<PartialObjectMetadata>({ unserved: true });

export const partialObjectMetadataList = kind<PartialObjectMetadataList>({ unserved: true });
