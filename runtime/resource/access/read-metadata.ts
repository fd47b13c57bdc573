import type { ObjectMeta } from "../../contract/api-object.ts";

const METADATA = Buffer.from('"metadata":{');
const OWNERS = Buffer.from(',"managedFields":[');

/**
 * The metadata of an object in canonical JSON without parsing the rest of it. In that order nothing before metadata nests,
 * and managedFields, most of its bytes, come last and are left out. Undefined if there are none, or if
 * they are not last: keys of custom kinds are sorted.
 */
export function readMetadata(json: Buffer): ObjectMeta | undefined {
  const start = json.indexOf(METADATA);
  const end = start < 0 ? -1 : json.indexOf(OWNERS, start);
  if (end < 0) {
    return undefined;
  }
  try {
    const metadata = JSON.parse(`${json.toString("utf8", start + METADATA.length - 1, end)}}`) as ObjectMeta;
    return metadata.uid === undefined ? undefined : metadata;
  } catch {
    // The managedFields found are not those of the object itself.
    return undefined;
  }
}
