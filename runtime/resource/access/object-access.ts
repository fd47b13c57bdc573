import type { ApiObject } from "../../contract/api-object.ts";
import { formatGroupResource } from "../../contract/group-version.ts";
import type {
  DeleteRequest,
  GroupResource,
  ObjectChanger,
  ObjectFeed,
  ObjectReader,
  ObjectWriter,
  WriteAs,
  WrittenObject,
} from "../../contract/object-access.ts";
import type { UserInfo } from "../../contract/user-info.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import { withStoredDefaults } from "../../kinds/apply-defaults.ts";
import type { LiveObject } from "../../kinds/object-store.ts";
import { registryKey, registryScope } from "../../kinds/registry-key.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import { LARGE_BYTES, mapInTurns } from "../../lib/in-turns.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import { createByUpdate, createObject } from "../create-object.ts";
import { deleteObject } from "../delete-object.ts";
import type { DeleteOptions } from "../delete-options.ts";
import { applyToStored } from "../field-ownership.ts";
import { updateObject } from "../update-object.ts";
import type { WriteEnvironment, WriteRequest } from "../write-request.ts";
import { followCache, metadataOf } from "./follow-cache.ts";

/** The user of writes by the server itself. */
const SERVER_USER: UserInfo = { name: "system:apiserver", groups: ["system:masters", "system:authenticated"] };

export interface ObjectAccessParts {
  readonly surface: () => Pick<ApiSurface, "findStored">;
  readonly environment: () => WriteEnvironment;
  /** Field manager of the fields that the server writes. */
  readonly fieldManager: string;
}

/** Creates access to stored objects for controllers, admission and authorization: without HTTP, but through the same write path. */
export function createObjectAccess(parts: ObjectAccessParts): ObjectReader & ObjectFeed & ObjectWriter & ObjectChanger {
  /** Returns undefined for kinds that this release does not serve. */
  const search = async ({ group, resource }: GroupResource): Promise<ServedResource | undefined> => {
    const entry = parts.surface().findStored(group, resource);
    return entry?.loaded ?? entry?.load();
  };
  const find = async (wanted: GroupResource): Promise<ServedResource> => {
    const resource = await search(wanted);
    if (resource === undefined) {
      throw new RangeError(`no resource ${formatGroupResource(wanted)} is served`);
    }
    return resource;
  };

  const request = (resource: ServedResource, namespace: string, subresource = "", as: WriteAs = {}): WriteRequest => ({
    resource,
    subresource,
    namespace,
    user: SERVER_USER,
    dryRun: false,
    fieldManager: as.fieldManager ?? parts.fieldManager,
    options: {},
    warn: () => undefined,
    annotate: () => undefined,
    waited: () => undefined,
    isLarge: false,
  });

  return {
    async get(wanted, namespace, name) {
      const stored = (await search(wanted))?.stored;
      const cached = await stored?.cache.get(registryKey(stored.prefix, namespace, name));
      return cached && parsed(cached);
    },
    async list(wanted, namespace = "", labels = {}) {
      const stored = (await search(wanted))?.stored;
      if (stored === undefined || stored.cache.isEmpty()) {
        return [];
      }
      const pairs = Object.entries(labels);
      const { items } = await stored.cache.list({
        scope: registryScope(stored.prefix, namespace),
        ...(pairs.length > 0 && {
          selector: {
            matches: (object: CachedObject) => pairs.every(([key, value]) => object.labels[key] === value),
          },
        }),
      });
      return mapInTurns(items, parsed);
    },
    async listMetadata(wanted, namespace) {
      const stored = (await search(wanted))?.stored;
      if (stored === undefined || stored.cache.isEmpty()) return [];
      const { items } = await stored.cache.list({ scope: registryScope(stored.prefix, namespace) });
      return mapInTurns(items, metadataOf);
    },
    async follow(wanted, listener, concerns) {
      if ((await search(wanted)) === undefined) {
        return () => undefined;
      }
      return followCache(async () => (await find(wanted)).stored, listener, concerns);
    },
    async create(wanted, object, as) {
      const resource = await find(wanted);
      const write = request(resource, object.metadata.namespace ?? "", "", as);
      const complete = withStoredDefaults(resource.stored, named(resource, object));
      const environment = parts.environment();
      if (as?.applied === true) {
        const owned = await applyToStored(environment, write, undefined, applied(resource, object));
        return (await createByUpdate(write, withStoredDefaults(resource.stored, owned), environment)).object;
      }
      return (await createObject(write, complete, environment)).object;
    },
    async update(wanted, object, subresource = "", as) {
      const resource = await find(wanted);
      const write = request(resource, object.metadata.namespace ?? "", subresource, as);
      const environment = parts.environment();
      const { live } = await updateObject(
        write,
        {
          name: object.metadata.name ?? "",
          uid: object.metadata.uid,
          change: (live, isLarge) =>
            as?.applied === true
              ? applyToStored(environment, write, live, applied(resource, object, subresource))
              : environment.ownership.update(write, live, changed(resource, live, object, subresource), isLarge),
        },
        environment,
      );
      return written(live);
    },
    async change(wanted, { namespace, name }, change, subresource = "") {
      const resource = await find(wanted);
      const write = request(resource, namespace, subresource);
      const environment = parts.environment();
      const next = (current: ApiObject, isLarge: boolean) =>
        environment.ownership.update(write, current, changed(resource, current, change(current), subresource), isLarge);
      const { live } = await updateObject(
        write,
        { name, change: (current, isLarge) => next(current as ApiObject, isLarge) },
        environment,
      );
      return written(live);
    },
    async delete(wanted, namespace, name, options = {}) {
      const resource = await find(wanted);
      await deleteObject(request(resource, namespace), name, deleteOptions(options), parts.environment());
    },
  };
}

function written(live: LiveObject): WrittenObject {
  return {
    resourceVersion: String(live.revision),
    get object() {
      return live.object;
    },
  };
}

/** Returns a promise for a large object, which is parsed in several turns of the event loop. */
function parsed(cached: CachedObject): ApiObject | Promise<ApiObject> {
  const object = () => cached.object as unknown as ApiObject;
  return cached.size < LARGE_BYTES ? object() : cached.load().then(object);
}

/** Converts an object to an apply configuration of the served version, without fields that the server sets. */
function applied(resource: ServedResource, stored: ApiObject, subresource = ""): ApiObject {
  const object = resource.fromStored({
    ...stored,
    kind: resource.stored.gvk.kind,
    apiVersion: resource.stored.apiVersion,
  });
  const {
    managedFields: _fields,
    resourceVersion: _version,
    uid: _uid,
    creationTimestamp: _time,
    ...metadata
  } = object.metadata;
  if (subresource === "") {
    return { ...object, metadata };
  }
  const { name, namespace } = metadata;
  const { kind, apiVersion } = object;
  return {
    ...(kind !== undefined && { kind }),
    ...(apiVersion !== undefined && { apiVersion }),
    metadata: { ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) },
    [subresource]: object[subresource],
  };
}

/** Copies an object with apiVersion and kind, decoded as if a client had sent it. */
function named({ stored }: ServedResource, object: ApiObject): ApiObject {
  return stored.schema.decode({ ...object, kind: stored.gvk.kind, apiVersion: stored.apiVersion });
}

/**
 * The object that an update writes. Updates of a status otherwise change only metadata: the rest is taken from the live object, neither
 * copied nor decoded.
 */
function changed(
  resource: ServedResource,
  live: ApiObject | undefined,
  object: ApiObject,
  subresource: string,
): ApiObject {
  if (subresource !== "status" || !resource.stored.hasStatus || live === undefined) return named(resource, object);
  const { metadata, status } = named(resource, {
    metadata: object.metadata,
    ...(object.status !== undefined && { status: object.status }),
  });
  const { status: _former, ...kept } = live;
  return { ...kept, metadata, ...(status !== undefined && { status }) };
}

function deleteOptions({ propagationPolicy, gracePeriodSeconds, uid, resourceVersion }: DeleteRequest): DeleteOptions {
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return {
    ...(propagationPolicy && { propagationPolicy }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(Object.keys(preconditions).length > 0 && { preconditions }),
  };
}
