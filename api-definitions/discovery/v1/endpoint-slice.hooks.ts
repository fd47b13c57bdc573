import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { warnOfIp } from "../../../runtime/values/ip-checks.ts";
import { listText } from "../../../runtime/values/table-text.ts";
import type { EndpointSlice } from "./endpoint-slice.ts";
import { validateAddressType, validateEndpointPorts, validateEndpoints } from "./endpoint-slice-validation.ts";

const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
/** Controllers that write valid addresses, so that no warnings are needed. */
const CAREFUL_WRITERS = ["endpointslice-controller.k8s.io", "endpointslicemirroring-controller.k8s.io"];

export const hooks = kindHooks<EndpointSlice>({
  validate: (slice) => collectErrors((errors) => validateSlice(slice, undefined, errors)),
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
    update: (slice, old) => collectErrors((errors) => validateSlice(slice, old, errors)),
  },
  lifecycle: {
    prepareForCreate: (slice, { apiVersion }) => {
      if (!isOlder(apiVersion)) dropTopology(slice);
    },
    prepareForUpdate: (slice, old, { apiVersion }) => {
      if (!isOlder(apiVersion) && !equalMeaning(slice.endpoints, old.endpoints)) dropTopology(slice);
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

/** Removes `deprecatedTopology`, which only v1beta1 may write. */
function dropTopology(slice: EndpointSlice): void {
  if (!slice.endpoints?.some(({ deprecatedTopology }) => deprecatedTopology !== undefined)) return;
  slice.endpoints = slice.endpoints.map(({ deprecatedTopology: _dropped, ...endpoint }) => endpoint);
}

/** Unchanged endpoints are not validated again. */
function validateSlice(slice: EndpointSlice, old: EndpointSlice | undefined, errors: FieldError[]): void {
  validateAddressType(slice.addressType ?? "", errors);
  validateEndpointPorts(slice.ports ?? [], "ports", errors);
  if (old !== undefined && equalMeaning(old.endpoints, slice.endpoints)) return;
  validateEndpoints(slice.endpoints ?? [], slice.addressType ?? "", "endpoints", errors);
}
