import type { ObjectMeta } from "../contract/api-object.ts";
import { findMember } from "../encoding/json/parse-stored-object.ts";

const BUILT_IN = Buffer.from('{"kind":');
const METADATA = Buffer.from('"metadata":{');
const OWNERS = Buffer.from(',"managedFields":[');
const METADATA_KEY = Buffer.from('"metadata"');
const OWNERS_KEY = Buffer.from('"managedFields"');
const COMMA = 0x2c;
const TIES = ['"ownerReferences":', '"finalizers":', '"deletionTimestamp":'];

/**
 * Reads the metadata of an object in canonical JSON, without managedFields (most of the bytes) and without parsing the rest of the object.
 * Returns undefined if the object has no metadata.
 */
export function readMetadata(json: Buffer): ObjectMeta | undefined {
  return readBeforeOwners(json) ?? readAroundOwners(json);
}

/**
 * Whether an object in canonical JSON has no owners and no finalizers and is not being deleted. Returns false if finding out would require
 * parsing.
 */
export function standsAlone(json: Buffer): boolean {
  const start = json.compare(BUILT_IN, 0, BUILT_IN.length, 0, BUILT_IN.length) === 0 ? json.indexOf(METADATA) : -1;
  const end = start < 0 ? -1 : json.indexOf(OWNERS, start);
  const span = end < 0 ? findMember(json, 0, METADATA_KEY) : { start, end };
  if (span === undefined) return false;
  const metadata = json.toString("latin1", span.start, span.end);
  return TIES.every((tie) => !metadata.includes(tie));
}

/** Fast path for built-in kinds: no member before metadata is nested, and managedFields come last. Returns undefined if that does not hold. */
function readBeforeOwners(json: Buffer): ObjectMeta | undefined {
  const start = json.compare(BUILT_IN, 0, BUILT_IN.length, 0, BUILT_IN.length) === 0 ? json.indexOf(METADATA) : -1;
  const end = start < 0 ? -1 : json.indexOf(OWNERS, start);
  if (end < 0) {
    return undefined;
  }
  try {
    const metadata = JSON.parse(`${json.toString("utf8", start + METADATA.length - 1, end)}}`) as ObjectMeta;
    return metadata.uid === undefined ? undefined : metadata;
  } catch {
    // The managedFields that were found do not belong to the object itself.
    return undefined;
  }
}

/** General path, for sorted keys of custom kinds and for objects without managedFields. */
function readAroundOwners(json: Buffer): ObjectMeta | undefined {
  const span = findMember(json, 0, METADATA_KEY);
  if (span === undefined) return undefined;
  const owners = findMember(json, span.start, OWNERS_KEY);
  if (owners === undefined) return JSON.parse(json.toString("utf8", span.start, span.end)) as ObjectMeta;
  // Cuts out managedFields with the comma that follows, or else with the comma before.
  const isFollowed = json[owners.end] === COMMA;
  const before = json.toString(
    "utf8",
    span.start,
    isFollowed || json[owners.key - 1] !== COMMA ? owners.key : owners.key - 1,
  );
  const after = json.toString("utf8", isFollowed ? owners.end + 1 : owners.end, span.end);
  return JSON.parse(`${before}${after}`) as ObjectMeta;
}
