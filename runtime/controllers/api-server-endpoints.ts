import type { ApiObject } from "../contract/api-object.ts";
import type { GroupResource } from "../contract/object-access.ts";
import { hasReason } from "../contract/status.ts";
import { equalJson } from "../lib/equal-json.ts";
import type { Controller, ControllerParts } from "./controller.ts";
import { createPeriodicController } from "./periodic-controller.ts";
import { familyOf } from "./services/address-range.ts";

/** Addresses of the running servers over one store. Each server renews its own until it stops. */
export interface ServerLeases {
  list(): Promise<readonly string[]>;
  renew(address: string): Promise<void>;
  remove(address: string): Promise<void>;
}

export interface ApiServerEndpointsParts extends Omit<ControllerParts, "feed" | "now"> {
  readonly leases: ServerLeases;
  /** `--advertise-address`. */
  readonly address: string;
  readonly port: number;
  /** Whether EndpointSlices are served: releases before 1.17 do not have them. */
  readonly slices: boolean;
}

const INTERVAL_MS = 10_000;
const RETRIES = 5;

/**
 * Publishes the addresses of the servers behind the API Service, for clients inside the cluster: as Endpoints, and as an EndpointSlice with the same
 * contents. A server that stops removes its address. The address of a crashed server is removed when its lease expires.
 */
export function createApiServerEndpoints(parts: ApiServerEndpointsParts): Controller {
  const { leases, address } = parts;
  const work = {
    name: "api-server-endpoints",
    subject: address,
    intervalMs: INTERVAL_MS,
    async round() {
      await leases.renew(address);
      await reconcile(parts);
    },
    async leave() {
      await leases.remove(address);
      await reconcile(parts);
    },
  };
  return createPeriodicController(work, parts);
}

/** Updates both objects to the addresses of the leases. */
async function reconcile(parts: ApiServerEndpointsParts): Promise<void> {
  const { naming, leases, port } = parts;
  const addresses = (await leases.list()).toSorted();
  const ports = [{ name: "https", port, protocol: "TCP" }];
  const name = { name: naming.vendor, namespace: "default" };
  await ensure(
    parts,
    { group: "", resource: "endpoints" },
    {
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: { ...name, labels: { [naming.key("skip-mirror", "endpointslice")]: "true" } },
      ...(addresses.length > 0 && { subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }] }),
    },
  );
  if (!parts.slices) return;
  const group = naming.group("discovery");
  const addressType = addresses.length > 0 && addresses.every((ip) => familyOf(ip) === "IPv6") ? "IPv6" : "IPv4";
  const shown = addresses.filter((ip) => familyOf(ip) === addressType);
  await ensure(
    parts,
    { group, resource: "endpointslices" },
    {
      apiVersion: `${group}/v1`,
      kind: "EndpointSlice",
      metadata: { ...name, labels: { [naming.key("service-name")]: naming.vendor } },
      addressType,
      endpoints: shown.map((ip) => ({ addresses: [ip], conditions: { ready: true } })),
      ports: addresses.length > 0 ? ports : [],
    },
  );
}

async function ensure(
  { reader, writer }: ApiServerEndpointsParts,
  resource: GroupResource,
  wanted: ApiObject,
): Promise<void> {
  const { namespace = "", name = "", labels } = wanted.metadata;
  const { metadata: _metadata, ...contents } = wanted;
  for (let left = RETRIES; ; left -= 1) {
    try {
      const stored = await reader.get(resource, namespace, name);
      if (stored === undefined) {
        await writer.create(resource, wanted);
      } else if (stored.addressType !== wanted.addressType) {
        // The address type of a slice is immutable.
        await writer.delete(resource, namespace, name);
        continue;
      } else if (!saysTheSame(stored, wanted)) {
        const { subsets: _subsets, ...rest } = stored;
        const metadata = { ...stored.metadata, labels: { ...stored.metadata.labels, ...labels } };
        await writer.update(resource, { ...rest, ...contents, metadata });
      }
      return;
    } catch (error) {
      const raced = hasReason(error, "Conflict", "AlreadyExists", "NotFound");
      if (!raced || left === 0) throw error;
    }
  }
}

function saysTheSame(stored: ApiObject, wanted: ApiObject): boolean {
  const contents = ({ subsets, endpoints, ports }: ApiObject) =>
    [subsets, endpoints, ports].map((list) => (Array.isArray(list) && list.length > 0 ? list : undefined));
  const labelled = Object.entries(wanted.metadata.labels ?? {}).every(
    ([key, value]) => stored.metadata.labels?.[key] === value,
  );
  return labelled && equalJson(contents(stored), contents(wanted));
}
