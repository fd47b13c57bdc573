import type { ApiObject } from "../../contract/api-object.ts";
import type { GroupResource } from "../../contract/object-access.ts";
import { decodeStoredJson, encodeStoredJson, storedJsonText } from "../../store/value/stored-json.ts";

/** Creates an object from a prepared value. Resolves with false, without an effect, if no prepared value fits the object. */
export type CreatePrepared = (resource: GroupResource, wanted: ApiObject) => Promise<boolean>;

type Json = Readonly<Record<string, unknown>>;
interface Port {
  readonly targetPort?: unknown;
  readonly nodePort?: unknown;
}
interface ServiceSpec {
  readonly clusterIP?: string;
  readonly ports?: readonly Port[];
}

/**
 * Creates the objects that contain values of one server: its certificates, the day of its start, its port. Only these values come from the object
 * to create; everything else, such as defaults and managedFields, is prepared. `prepared` contains stored values by key, in latin1. Each value is
 * used once.
 */
export function createPrepared(
  prepared: Map<string, string>,
  put: (key: string, value: string) => Promise<unknown>,
): CreatePrepared {
  const write = (key: string, members: Json): Promise<unknown> => {
    const value = Buffer.from(prepared.get(key) ?? "", "latin1");
    prepared.delete(key);
    const { fields = {} } = decodeStoredJson(value, 0);
    return put(key, encodeStoredJson({ ...parse(value), ...members }, { fields }).toString("latin1"));
  };
  const stored = (key: string): Json | undefined => {
    const value = prepared.get(key);
    return value === undefined ? undefined : parse(Buffer.from(value, "latin1"));
  };

  /** A ConfigMap with the same keys. */
  const createConfigMap = async ({ metadata, data }: ApiObject): Promise<boolean> => {
    const key = `/registry/configmaps/${metadata.namespace}/${metadata.name}`;
    const found = stored(key);
    if (found === undefined || keysOf(found.data) !== keysOf(data)) return false;
    const sorted = Object.entries(data as Json).sort(([a], [b]) => (a < b ? -1 : 1));
    await write(key, { data: Object.fromEntries(sorted) });
    return true;
  };

  /** A Service with the same address and without a node port, together with its IPAddress. */
  const createService = async ({ metadata, spec }: ApiObject): Promise<boolean> => {
    const key = `/registry/services/specs/${metadata.namespace}/${metadata.name}`;
    const [found, wanted] = [stored(key)?.spec as ServiceSpec | undefined, spec as ServiceSpec];
    const address = `/registry/ipaddresses/${wanted.clusterIP}`;
    const [port, wantedPort] = [found?.ports?.[0], wanted.ports?.[0]];
    if (port === undefined || wantedPort === undefined || !prepared.has(address)) return false;
    if (found?.clusterIP !== wanted.clusterIP || wantedPort.nodePort !== undefined) return false;
    const ports = [{ ...port, targetPort: wantedPort.targetPort }];
    await Promise.all([write(address, {}), write(key, { spec: { ...found, ports } })]);
    return true;
  };

  const creators: Readonly<Record<string, (wanted: ApiObject) => Promise<boolean>>> = {
    configmaps: createConfigMap,
    services: createService,
  };
  return async ({ group, resource }, wanted) =>
    prepared.size > 0 && group === "" && (await creators[resource]?.(wanted)) === true;
}

function parse(value: Uint8Array): Json {
  return JSON.parse(Buffer.from(storedJsonText(value) ?? []).toString("utf8")) as Json;
}

function keysOf(data: unknown): string {
  return Object.keys((data ?? {}) as Json)
    .sort()
    .join();
}
