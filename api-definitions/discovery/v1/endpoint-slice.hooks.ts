import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { type HookContext, kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { warnOfIp } from "../../../runtime/values/ip-checks.ts";
import { checkSubdomain } from "../../../runtime/values/names.ts";
import { listText } from "../../../runtime/values/table-text.ts";
import type { Endpoint, EndpointSlice } from "./endpoint-slice.ts";
import { validateAddressType, validateEndpointPorts, validateEndpoints } from "./endpoint-slice-validation.ts";

const HOSTNAME = "kubernetes.io/hostname";
const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
/** Controllers that write valid addresses, so that no warnings are needed. */
const CAREFUL_WRITERS = ["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];

export const hooks = kindHooks<EndpointSlice>({
  validate: (slice, context) => collectErrors((errors) => validateSlice(slice, undefined, context, errors)),
  warn: ({ metadata, addressType, endpoints }, { old }) => {
    const warnings: string[] = [];
    if (old === undefined && addressType === "FQDN") {
      warnings.push("spec.addressType: FQDN endpoints are deprecated");
    }
    if (CAREFUL_WRITERS.includes(metadata?.labels?.[MANAGED_BY] ?? "")) return warnings;
    for (const [index, { addresses }] of (endpoints ?? []).entries()) {
      for (const [position, address] of (addresses ?? []).entries()) {
        warnings.push(...warnOfIp(`endpoints[${index}].addresses[${position}]`, address));
      }
    }
    return warnings;
  },
  cells: ({ endpoints, ports }) => ({
    Ports: listText((ports ?? []).map(({ port, name }) => (port === undefined ? (name ?? "*") : String(port)))),
    Endpoints: listText((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
  }),
  validation: {
    update: (slice, old, context) => collectErrors((errors) => validateSlice(slice, old, context, errors)),
  },
  lifecycle: {
    prepareForCreate: (slice, { apiVersion }) => {
      if (!isOlder(apiVersion)) dropTopology(slice);
    },
    prepareForUpdate: (slice, old, { apiVersion }) => {
      if (!isOlder(apiVersion) && !equalMeaning(slice.endpoints, old.endpoints)) dropTopology(slice, old);
    },
    raisesGeneration: (slice, old) =>
      (["addressType", "endpoints", "ports"] as const).some((name) => !equalMeaning(slice[name], old[name])) ||
      !equalMeaning(slice.metadata?.labels ?? {}, old.metadata?.labels ?? {}),
  },
  compatibility: {
    order: { update: ["metadataAsNew", "update", "declared"] },
    countsDroppedFields: true,
  },
});

function isOlder(apiVersion: string | undefined): boolean {
  return apiVersion?.endsWith("/v1beta1") === true;
}

/**
 * Removes `deprecatedTopology`, which only v1beta1 may write. The name of a node that it held before becomes `nodeName` of an
 * endpoint without one.
 */
function dropTopology(slice: EndpointSlice, old?: EndpointSlice): void {
  if (!slice.endpoints?.some(({ deprecatedTopology }) => deprecatedTopology !== undefined)) return;
  const known = new Set((old?.endpoints ?? []).map(hostOf));
  slice.endpoints = slice.endpoints.map((given) => {
    const { deprecatedTopology: _dropped, ...endpoint } = given;
    const host = hostOf(given);
    const isNode = host !== undefined && known.has(host) && checkSubdomain(host).length === 0;
    return endpoint.nodeName === undefined && isNode ? { ...endpoint, nodeName: host } : endpoint;
  });
}

function hostOf({ deprecatedTopology }: Endpoint): string | undefined {
  return deprecatedTopology?.[HOSTNAME];
}

/** Unchanged endpoints are not validated again. */
function validateSlice(
  slice: EndpointSlice,
  old: EndpointSlice | undefined,
  gates: Pick<HookContext, "featureEnabled">,
  errors: FieldError[],
): void {
  validateAddressType(slice.addressType ?? "", errors);
  validateEndpointPorts(slice.ports ?? [], "ports", errors);
  if (old !== undefined && equalMeaning(old.endpoints, slice.endpoints)) return;
  validateEndpoints(slice.endpoints ?? [], slice.addressType ?? "", gates, "endpoints", errors);
}
