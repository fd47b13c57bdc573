import { isDeepStrictEqual } from "node:util";
import type { ApiObject } from "../contract/api-object.ts";
import type { Naming } from "../contract/naming.ts";
import type { ObjectReader, ObjectWriter } from "../contract/object-access.ts";
import { familyOf } from "./services/address-range.ts";

/**
 * Publishes where this server listens behind the API service, for clients inside the cluster. A loopback address is nobody
 * else's to use: with one, nothing is published.
 */
export async function publishApiServer(parts: {
  readonly naming: Naming;
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  /** `--advertise-address`. */
  readonly address: string;
  readonly port: number;
}): Promise<void> {
  const { naming, address, port } = parts;
  if (address.startsWith("127.") || address === "::1") return;
  const ports = [{ name: "https", port, protocol: "TCP" }];
  const discovery = naming.group("discovery");
  await ensure(parts, { group: "", resource: "endpoints" }, "subsets", {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: {
      name: naming.vendor,
      namespace: "default",
      labels: { [naming.key("skip-mirror", "endpointslice")]: "true" },
    },
    subsets: [{ addresses: [{ ip: address }], ports }],
  });
  await ensure(parts, { group: discovery, resource: "endpointslices" }, "endpoints", {
    apiVersion: `${discovery}/v1`,
    kind: "EndpointSlice",
    metadata: {
      name: naming.vendor,
      namespace: "default",
      labels: { [naming.key("service-name")]: naming.vendor },
    },
    addressType: familyOf(address),
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports,
  });
}

async function ensure(
  { reader, writer }: { readonly reader: ObjectReader; readonly writer: ObjectWriter },
  resource: { readonly group: string; readonly resource: string },
  field: string,
  wanted: ApiObject,
): Promise<void> {
  const { namespace = "", name = "" } = wanted.metadata;
  const stored = await reader.get(resource, namespace, name);
  if (stored === undefined) await writer.create(resource, wanted);
  else if (!isDeepStrictEqual([stored[field], stored.ports], [wanted[field], wanted.ports])) {
    const { metadata: _, ...contents } = wanted;
    await writer.update(resource, { ...stored, ...contents });
  }
}
