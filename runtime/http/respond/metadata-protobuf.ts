import type { ApiObject } from "../../contract/api-object.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import { asBuffer, type EncodingContext } from "./encode-object.ts";
import { cutMetadata, metadataReader } from "./metadata-json.ts";
import { partialMetadata } from "./table.ts";

/**
 * Loads an encoder for messages of `PartialObjectMetadata`, without kind and version. Objects that are stored in the version in which they
 * are served are not parsed.
 */
export async function loadMetadataEncoder(
  resource: ServedResource,
  metaApiVersion: string,
  { schemas }: Pick<EncodingContext, "schemas">,
): Promise<(cached: CachedObject) => Buffer> {
  const schema = schemas.of<ApiObject>("meta/v1.PartialObjectMetadata");
  const name = `${resource.apiVersion} metadata protobuf`;
  const isCut = resource.isStoredVersion && resource.hooks.compatibility?.versionAnnotations === undefined;
  const transcode = isCut ? await schema.loadTranscoder?.() : undefined;
  const read = metadataReader(resource);
  const encode = (cached: CachedObject) =>
    transcode?.(cutMetadata(cached.jsonOnce)) ??
    schema.encodeProtobuf(partialMetadata(read(cached), metaApiVersion, resource));
  return (cached) => asBuffer(cached.encoding(name, encode));
}
