import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { ApiObject } from "../../contract/api-object.ts";
import type { GroupResource, ObjectWriter } from "../../contract/object-access.ts";
import type { ApiCatalogue, Base, Release } from "../../contract/resource-descriptor.ts";
import { isoString } from "../../lib/clock.ts";
import type { MemoryEngine } from "../../store/embedded/memory-engine.ts";
import type { Store } from "../../store/store.ts";
import { encodeStoredJson } from "../../store/value/stored-json.ts";
import { type CreatePrepared, createPrepared } from "./prepared-of-server.ts";

/** The flags on which the bootstrap objects depend. */
export interface StartingConfig {
  /** Undefined with the embedded store. */
  readonly etcd: object | undefined;
  readonly encryption: { readonly file: string | undefined };
  readonly serviceClusterIpRange: string;
  readonly authorizationModes: readonly string[];
  readonly enabledPlugins: readonly string[];
  readonly disabledPlugins: readonly string[];
  readonly admissionConfig: string | undefined;
  readonly release: string | undefined;
  readonly runtimeConfig: string;
  readonly featureGates: string;
}

/** The served definitions. Servers that share the same instance have the same bootstrap objects. */
export interface StartingDefinitions {
  readonly base: Base;
  readonly release: Release;
  readonly catalogue: Pick<ApiCatalogue, "domain" | "vendor" | "project">;
}

/** A line in a file of prepared objects. */
export interface PreparedObject {
  readonly key: string;
  /** Selectable fields. */
  readonly fields: Readonly<Record<string, string>>;
  readonly object: { readonly metadata: object; readonly [member: string]: unknown };
}

interface StartingObject {
  readonly key: string;
  /** Encoded as the embedded store keeps it, with one character per byte. */
  readonly value: string;
}

/** Set in bundles: the folder of encoded objects, relative to this file. */
declare const STARTING_OBJECTS: string | undefined;
const ENCODED = typeof STARTING_OBJECTS === "string" ? STARTING_OBJECTS : "./starting-objects";

/** Revision of an embedded store before its first write. */
const EMPTY = 1;
/** Patterns of values that each server sets itself when it creates these objects. */
const UID = /"uid":"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"/g;
const TIME = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g;
/** Keys of objects that contain the address, the certificates or the start day of one server, and of the IPAddress of its Service. */
const OF_ONE_SERVER = /^\/registry\/(?:configmaps|services|ipaddresses)\//;
/** Keys of objects that are needed only with RBAC. */
const OF_RBAC = /^\/registry\/(?:cluster)?role(?:binding)?s\//;
/** Keys of objects that depend on the range of service addresses. */
const OF_SERVICE_RANGE = /^\/registry\/(?:servicecidrs|services|ipaddresses)\//;

/** Settings for which the prepared objects were created, in addition to the flags in `isPreparedFor`. */
const PREPARED = {
  release: "1.33",
  domain: "k8s.io",
  vendor: "kubernetes",
  bases: ["kubernetes", "core"],
  serviceClusterIpRange: "10.0.0.0/24",
};

const known = new WeakMap<StartingDefinitions, Map<string, Promise<readonly StartingObject[] | undefined>>>();

export interface StartingParts {
  readonly config: StartingConfig;
  readonly platform: StartingDefinitions;
  /** The store of the configuration, which encrypts values if this is configured. */
  readonly store: Store;
  readonly now: () => Date;
}

/**
 * Writes all bootstrap objects for this configuration into an empty embedded store at once: creating them individually, with admission and
 * validation, would take most of the start-up time. Each gets a new UID and the current time. They are prepared for the default configuration, or
 * were created by an earlier server in this process. Resolves with undefined if no such objects exist or the store is not empty: then they must be
 * created or checked individually. Otherwise resolves with a function that creates those that also contain values of this server, once these
 * values are known.
 */
export async function writeStartingObjects(parts: StartingParts): Promise<CreatePrepared | undefined> {
  const { config, platform, store } = parts;
  if (config.etcd !== undefined || (await store.currentRevision()) !== EMPTY) return undefined;
  const objects = await startingObjects(config, platform);
  if (objects === undefined) return undefined;
  const ofServer = new Map(objects.filter(({ key }) => OF_ONE_SERVER.test(key)).map(({ key, value }) => [key, value]));
  await Promise.all(
    objects.map(({ key, value }) => !ofServer.has(key) && store.put(key, asNew(value, parts), { expected: 0 })),
  );
  return createPrepared(ofServer, (key, value) => store.put(key, asNew(value, parts), { expected: 0 }));
}

/** The stored value with a new UID and the current time. */
function asNew(value: string, { now }: Pick<StartingParts, "now">): Buffer {
  const time = `"${isoString(now()).slice(0, 19)}Z"`;
  return Buffer.from(value.replace(UID, () => `"uid":"${randomUUID()}"`).replace(TIME, time), "latin1");
}

function startingObjects(
  config: StartingConfig,
  platform: StartingDefinitions,
): Promise<readonly StartingObject[] | undefined> {
  const kept = known.get(platform) ?? new Map<string, Promise<readonly StartingObject[] | undefined>>();
  known.set(platform, kept);
  const found = kept.get(keyOf(config));
  if (found !== undefined || !isPreparedFor(config, platform)) return found ?? Promise.resolve(undefined);
  const read = readPrepared(platform.base, config);
  kept.set(keyOf(config), read);
  return read;
}

/** Whether the prepared objects fit a configuration. Admission plugins modify none of them, unless a file configures the plugins. */
function isPreparedFor(config: StartingConfig, { base, release, catalogue }: StartingDefinitions): boolean {
  return (
    PREPARED.bases.includes(base) &&
    release === PREPARED.release &&
    catalogue.domain === PREPARED.domain &&
    catalogue.vendor === PREPARED.vendor &&
    catalogue.project?.groups === undefined &&
    config.release === undefined &&
    config.runtimeConfig === "" &&
    config.featureGates === "" &&
    config.admissionConfig === undefined
  );
}

async function readPrepared(
  base: string,
  { authorizationModes, serviceClusterIpRange }: StartingConfig,
): Promise<readonly StartingObject[]> {
  const hasRoles = authorizationModes.includes("RBAC");
  const hasRange = serviceClusterIpRange === PREPARED.serviceClusterIpRange;
  const isWanted = (key: string): boolean =>
    (hasRoles || !OF_RBAC.test(key)) && (hasRange || !OF_SERVICE_RANGE.test(key));
  const encoded = new URL(`${ENCODED}/${base}.stored`, import.meta.url);
  // Synchronous: nothing else can run meanwhile, and waiting for other threads would take longer than reading.
  if (existsSync(encoded)) return decodePrepared(readFileSync(encoded, "latin1")).filter(({ key }) => isWanted(key));
  const text = readFileSync(new URL(`./starting-objects/${base}.jsonl`, import.meta.url), "utf8");
  return preparedObjects(text, isWanted);
}

function preparedObjects(lines: string, isWanted: (key: string) => boolean): StartingObject[] {
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as PreparedObject)
    .filter(({ key }) => isWanted(key))
    .map(({ key, fields, object }) => ({ key, value: encodeStoredJson(object, { fields }).toString("latin1") }));
}

/**
 * Encodes prepared objects for the package, which contains this encoding instead of the file, so that a start neither parses nor encodes objects. The
 * result is a line of JSON with the key and length of each value, then all values.
 */
export function encodePrepared(lines: string): Buffer {
  const objects = preparedObjects(lines, () => true);
  const index = JSON.stringify(objects.map(({ key, value }) => [key, value.length]));
  return Buffer.from(`${index}\n${objects.map(({ value }) => value).join("")}`, "latin1");
}

/** Decodes the result of `encodePrepared`, given as one character per byte. */
export function decodePrepared(text: string): StartingObject[] {
  let at = text.indexOf("\n") + 1;
  return (JSON.parse(text.slice(0, at)) as [string, number][]).map(([key, length]) => {
    const value = text.slice(at, at + length);
    at += length;
    return { key, value };
  });
}

/** Writes of a server's bootstrap: the last revision of each object, by resource, namespace and name. */
export type BootstrapWrites = ReadonlyMap<string, number>;

/** Returns a writer that records the revisions of its writes in `written`. */
export function noteWrites(writer: ObjectWriter, written: Map<string, number>): ObjectWriter {
  const note = ({ group, resource }: GroupResource, { metadata }: ApiObject, resourceVersion?: string): void => {
    const { namespace = "", name = "" } = metadata;
    written.set(`${resource}.${group}/${namespace}/${name}`, Number(resourceVersion));
  };
  return {
    async create(resource, object, as) {
      const created = await writer.create(resource, object, as);
      note(resource, created, created.metadata.resourceVersion);
      return created;
    },
    async update(resource, object, subresource, as) {
      const updated = await writer.update(resource, object, subresource, as);
      note(resource, object, updated.resourceVersion);
      return updated;
    },
    delete: (...asked) => writer.delete(...asked),
  };
}

/** Caches the objects that a server has just written in its data, unless any of them was changed in the meantime. */
export function keepStartingObjects(
  config: StartingConfig,
  platform: StartingDefinitions,
  engine: MemoryEngine,
  written: BootstrapWrites,
): void {
  if (config.encryption.file !== undefined || known.get(platform)?.has(keyOf(config))) return;
  const revisions = new Set(written.values());
  const records = [...engine.state().records].filter(({ revision }) => revisions.has(revision));
  if (records.length !== written.size) return;
  const objects = records.map(({ key, value }) => ({ key, value: Buffer.from(value).toString("latin1") }));
  const kept = known.get(platform) ?? new Map<string, Promise<readonly StartingObject[]>>();
  known.set(platform, kept.set(keyOf(config), Promise.resolve(objects)));
}

/** Returns a key for the settings, besides the platform, on which the bootstrap objects depend. */
function keyOf(config: StartingConfig): string {
  const { encryption, serviceClusterIpRange, authorizationModes } = config;
  const { enabledPlugins, disabledPlugins, admissionConfig } = config;
  return JSON.stringify([
    encryption.file,
    serviceClusterIpRange,
    authorizationModes,
    enabledPlugins,
    disabledPlugins,
    admissionConfig,
  ]);
}
