import { conversion } from "../conversion-vocabulary.ts";
import { release } from "../release.ts";
import type { Endpoint, EndpointSlice } from "./v1/endpoint-slice.ts";
import type { EndpointSlice as EndpointSliceV1beta1, Endpoint as EndpointV1beta1 } from "./v1beta1/endpoint-slice.ts";

const ZONE = `topology.${release.vendor}.io/zone`;
const HOSTNAME = `${release.vendor}.io/hostname`;

/** The map `topology` became the fields `zone` and `nodeName`; other entries become `deprecatedTopology`. */
export const endpointSliceV1beta1 = conversion<EndpointSliceV1beta1, EndpointSlice>({
  toHub(from, hub) {
    hub.endpoints?.forEach((endpoint, index) => {
      splitTopology(from.endpoints[index]?.topology, endpoint);
    });
  },
  fromHub(hub, to) {
    to.endpoints?.forEach((endpoint, index) => {
      const source = hub.endpoints[index];
      if (source !== undefined) joinTopology(source, endpoint);
    });
  },
});

function splitTopology(topology: Record<string, string> | undefined, endpoint: Endpoint): void {
  if (topology === undefined) return;
  const { [ZONE]: zone, ...rest } = topology;
  if (zone !== undefined) endpoint.zone = zone;
  if (endpoint.nodeName !== undefined && rest[HOSTNAME] === endpoint.nodeName) delete rest[HOSTNAME];
  if (Object.keys(rest).length > 0) endpoint.deprecatedTopology = rest;
}

/** Adds `nodeName` as hostname, unless the map has another one. */
function joinTopology({ deprecatedTopology, zone, nodeName }: Endpoint, endpoint: EndpointV1beta1): void {
  if (deprecatedTopology === undefined && zone === undefined && nodeName === undefined) return;
  const topology: Record<string, string> = { ...deprecatedTopology };
  if (zone !== undefined) topology[ZONE] = zone;
  if (nodeName !== undefined) topology[HOSTNAME] ||= nodeName;
  endpoint.topology = topology;
}
