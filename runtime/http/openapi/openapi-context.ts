import type { OpenApiParts } from "../../aggregation/openapi-references.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import type { Steps } from "../../lib/in-turns.ts";
import type { SectionsV2 } from "./protobuf/sections-v2.ts";

/** The documents of built-in kinds by path: `v2`, `v3/api/v1`, `v3/apis/apps/v1`. */
export interface OpenApiDocuments {
  build(path: string): Steps<OpenApiParts | undefined>;
  /** Paths below `v3/` that are published in addition to those of the API groups. */
  readonly otherPaths: readonly string[];
}

/** OpenAPI documents of extension servers. */
export interface RemoteDocuments {
  readonly isEmpty: boolean;
  /** Increases with every change. */
  readonly generation: number;
  /** URLs of documents by their paths below `/openapi/v3/`. Requests for them are proxied before they reach this code. */
  addresses(): ReadonlyMap<string, string>;
  /** Paths below `/openapi/v3/` of documents that this server makes for extension servers that have none; `made` returns such a document. */
  madePaths(): readonly string[];
  made(path: string): object | undefined;
  /** Returns the document of version 2 merged with those of the extension servers. */
  extend(document: OpenApiParts): OpenApiParts;
}

export interface OpenApiContext {
  readonly surface: () => ApiSurface;
  readonly documents: OpenApiDocuments;
  readonly remote: RemoteDocuments;
  /** Used in names of extensions: `x-<vendor>-…`. */
  readonly vendor: string;
  /** Encodes a document of version 3 as protobuf. */
  readonly encodeV3: (json: string) => Promise<Uint8Array>;
  /** Encodes documents of version 2, or members of their `paths` and `definitions`, as protobuf. */
  readonly encodeV2: (jsons: readonly string[]) => Promise<readonly SectionsV2[]>;
}
