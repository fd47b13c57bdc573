import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { type HookContext, kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { invalidFields, requiredField, unsupportedField } from "../../../runtime/values/field-errors.ts";
import { checkPortNumber } from "../../../runtime/values/formats.ts";
import { checkEndpointIp, checkLegacyIp, warnOfIp } from "../../../runtime/values/ip-checks.ts";
import { checkQualifiedName, checkSubdomain } from "../../../runtime/values/names.ts";
import { listText } from "../../../runtime/values/table-text.ts";
import type { EndpointAddress, EndpointPort, EndpointSubset, Endpoints } from "./endpoints.ts";
import { validateDnsLabel } from "./validation/basics.ts";
import { PROTOCOLS } from "./validation/protocols.ts";

type FeatureGates = Pick<HookContext, "featureEnabled">;

const SHOWN = 3;
const MANAGED_BY = "endpoints.kubernetes.io/managed-by";
const ADDRESS_LISTS = ["addresses", "notReadyAddresses"] as const;

export const hooks = kindHooks<Endpoints>({
  validate: (endpoints, context) => validateSubsets(endpoints.subsets, context),
  warn: ({ metadata, subsets = [] }) => {
    if (metadata?.labels?.[MANAGED_BY] === "endpoint-controller") return [];
    return subsets.flatMap((subset, index) =>
      ADDRESS_LISTS.flatMap((list) =>
        (subset[list] ?? []).flatMap(({ ip }, at) => warnOfIp(`subsets[${index}].${list}[${at}].ip`, ip)),
      ),
    );
  },
  cells: (endpoints) => ({ Endpoints: endpointsText(endpoints) }),
  validation: {
    /** Unchanged subsets are not validated again, so that objects from before a rule was added can be updated. */
    update: (endpoints, old, context) => {
      const errors = validateSubsets(endpoints.subsets, context);
      const untouched = errors.length > 0 && equalMeaning(endpoints.subsets ?? [], old.subsets ?? []);
      return untouched ? [] : errors;
    },
  },
  compatibility: {
    order: { update: ["metadataAsChange", "metadataAsNew", "declared", "update"] },
  },
});

function validateSubsets(subsets: readonly EndpointSubset[] = [], gates: FeatureGates): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, subset] of subsets.entries()) {
    const path = `subsets[${index}]`;
    if (ADDRESS_LISTS.every((list) => (subset[list] ?? []).length === 0))
      errors.push(requiredField(path, "must specify `addresses` or `notReadyAddresses`"));
    for (const list of ADDRESS_LISTS)
      for (const [at, address] of (subset[list] ?? []).entries())
        validateAddress(address, gates, `${path}.${list}[${at}]`, errors);
    const ports = subset.ports ?? [];
    for (const [at, port] of ports.entries()) validatePort(port, ports.length > 1, `${path}.ports[${at}]`, errors);
  }
  return errors;
}

function validateAddress(
  { ip = "", hostname, nodeName }: EndpointAddress,
  gates: FeatureGates,
  path: string,
  errors: FieldError[],
): void {
  errors.push(...invalidFields(`${path}.ip`, ip, checkLegacyIp(ip, gates)));
  if (hostname) validateDnsLabel(hostname, `${path}.hostname`, errors);
  if (nodeName !== undefined) errors.push(...invalidFields(`${path}.nodeName`, nodeName, checkSubdomain(nodeName)));
  errors.push(...invalidFields(`${path}.ip`, ip, checkEndpointIp(ip)));
}

function validatePort(port: EndpointPort, needsName: boolean, path: string, errors: FieldError[]): void {
  if (port.name) validateDnsLabel(port.name, `${path}.name`, errors);
  else if (needsName) errors.push(requiredField(`${path}.name`));
  errors.push(...invalidFields(`${path}.port`, port.port, checkPortNumber(port.port)));
  if (!port.protocol) errors.push(requiredField(`${path}.protocol`));
  else if (!PROTOCOLS.includes(port.protocol))
    errors.push(unsupportedField(`${path}.protocol`, port.protocol, PROTOCOLS));
  if (port.appProtocol !== undefined)
    errors.push(...invalidFields(`${path}.appProtocol`, port.appProtocol, checkQualifiedName(port.appProtocol)));
}

/** Lists every address with each of its ports. There may be millions of combinations, so only the first are shown. */
function endpointsText(endpoints: Endpoints): string {
  const subsets = endpoints.subsets ?? [];
  if (subsets.length === 0) return "<none>";
  let total = 0;
  for (const { addresses = [], ports = [] } of subsets) total += addresses.length * Math.max(1, ports.length);
  return listText([...shownEndpoints(subsets)], { total, max: SHOWN, empty: "" });
}

function* shownEndpoints(subsets: readonly EndpointSubset[]): Generator<string> {
  let shown = 0;
  for (const { addresses = [], ports = [] } of subsets) {
    for (const { port } of ports.length === 0 ? [{ port: undefined }] : ports) {
      for (const { ip } of addresses) {
        if (shown++ === SHOWN) return;
        yield port === undefined ? ip : ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`;
      }
    }
  }
}
