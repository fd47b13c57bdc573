import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { asGiven } from "../../../runtime/go/source-notes.ts";
import { invalidField, invalidFields, requiredField, tooLongField } from "../../../runtime/values/field-errors.ts";
import { checkSubdomain } from "../../../runtime/values/names.ts";
import { validateNodeSelector } from "../../core/v1/validation/scheduling.ts";
import { shownAs } from "../../go-types.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import {
  validateAttributeName,
  validateDriverName,
  validateEach,
  validateLabelText,
  validatePoolName,
  validateSet,
  validateTaint,
} from "./device-checks.ts";
import type {
  BasicDevice,
  Counter,
  Device,
  DeviceAttribute,
  DeviceCounterConsumption,
  ResourceSliceSpec,
} from "./resource-slice.ts";

const MAX_DEVICES = 128;
const MAX_ATTRIBUTES = 32;
const MAX_COUNTERS = 32;
const MAX_DEVICE_COUNTERS = 1024;
const MAX_VALUE = 64;
const MAX_TAINTS = 4;
/** Maximum length of a domain, a slash and an identifier. */
const MAX_NAME = 63 + 1 + 32;
const MAX_COUNTER_NAME = 63;
const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/;

/** Validates the devices of a slice and their nodes. */
export function validateSliceSpec(
  spec: ResourceSliceSpec,
  old: ResourceSliceSpec | undefined,
  path: string,
  errors: FieldError[],
): void {
  validateDriverName(spec.driver, `${path}.driver`, errors);
  const { name, resourceSliceCount = 0, generation = 0 } = spec.pool ?? {};
  validatePoolName(name, `${path}.pool.name`, errors);
  if (resourceSliceCount <= 0) {
    errors.push(invalidField(`${path}.pool.resourceSliceCount`, resourceSliceCount, "must be greater than zero"));
  }
  if (generation < 0) {
    errors.push(invalidField(`${path}.pool.generation`, generation, "must be greater than or equal to zero"));
  }
  if (old !== undefined) {
    validateImmutable(name ?? "", old.pool?.name ?? "", `${path}.pool.name`, errors);
    validateImmutable(spec.driver ?? "", old.driver ?? "", `${path}.driver`, errors);
    // Unlike the others, the node may be unset.
    validateImmutable(asGiven(spec, "nodeName") ?? null, old.nodeName ?? null, `${path}.nodeName`, errors);
  }
  validatePlaces(spec, path, errors);
  const counterSets = new Map(
    (spec.sharedCounters ?? []).map((set) => [set.name, new Set(Object.keys(set.counters ?? {}))]),
  );
  const check = (device: Device, at: string, found: FieldError[]) =>
    validateDevice(device, counterSets, spec.perDeviceNodeSelection === true, at, found);
  validateSet(spec.devices, MAX_DEVICES, check, (device) => device.name, ".name", `${path}.devices`, errors);
  validateCounterTotals(spec, path, errors);
  validateSet(
    spec.sharedCounters,
    undefined,
    (set, at, found) => {
      if (!set.name) found.push(requiredField(`${at}.name`));
      else validateLabelText(set.name, `${at}.name`, found);
      validateCounters(set.counters, `${at}.counters`, found);
    },
    (set) => set.name,
    ".name",
    `${path}.sharedCounters`,
    errors,
  );
}

function validatePlaces(spec: ResourceSliceSpec, path: string, errors: FieldError[]): void {
  const { nodeSelector, perDeviceNodeSelection } = spec;
  const [nodeName, allNodes] = [asGiven(spec, "nodeName"), asGiven(spec, "allNodes")];
  const given: string[] = [];
  if (nodeName) {
    given.push("`nodeName`");
    errors.push(...invalidFields(`${path}.nodeName`, nodeName, checkSubdomain(nodeName)));
  } else if (nodeName === "") {
    errors.push(invalidField(`${path}.nodeName`, "", "must be either unset or set to a non-empty string"));
  }
  if (nodeSelector !== undefined) {
    given.push("`nodeSelector`");
    validateNodeSelector(nodeSelector, `${path}.nodeSelector`, errors);
    if ((nodeSelector.nodeSelectorTerms ?? []).length !== 1) {
      const field = `${path}.nodeSelector.nodeSelectorTerms`;
      const terms = shownAs("[]core.NodeSelectorTerm", asGiven(nodeSelector, "nodeSelectorTerms") ?? undefined);
      errors.push(invalidField(field, terms, "must have exactly one node selector term"));
    }
  }
  for (const [name, flag] of Object.entries({ allNodes, perDeviceNodeSelection })) {
    if (flag === true) given.push(`\`${name}\``);
    else if (flag === false) errors.push(invalidField(`${path}.${name}`, false, "must be either unset or set to true"));
  }
  const detail = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  if (given.length === 0) errors.push(requiredField(path, detail));
  if (given.length > 1) {
    errors.push(invalidField(path, `{${given.join(", ")}}`, `${detail}, but multiple fields are set`));
  }
}

function validateDevice(
  device: Device,
  counterSets: ReadonlyMap<string, ReadonlySet<string>>,
  hasOwnPlace: boolean,
  path: string,
  errors: FieldError[],
): void {
  const basic = device.basic ?? {};
  const { attributes = {}, capacity = {}, taints, consumesCounters = [] } = basic;
  validateLabelText(device.name, `${path}.name`, errors);
  const total = Object.keys(attributes).length + Object.keys(capacity).length;
  if (total > MAX_ATTRIBUTES) {
    const detail = `the total number of attributes and capacities must not exceed ${MAX_ATTRIBUTES}`;
    errors.push(invalidField(path, total, detail));
  }
  for (const [name, attribute] of Object.entries(attributes)) {
    validateAttributeName(name, `${path}.attributes[${shownKey(name)}]`, errors);
    validateAttribute(attribute, `${path}.attributes[${shownKey(name)}]`, errors);
  }
  for (const name of Object.keys(capacity)) validateAttributeName(name, `${path}.capacity[${shownKey(name)}]`, errors);
  validateEach(taints, MAX_TAINTS, validateTaint, `${path}.taints`, errors);
  validateConsumption(consumesCounters, counterSets, path, errors);
  validateDevicePlace(basic, hasOwnPlace, path, errors);
}

function validateConsumption(
  consumption: readonly DeviceCounterConsumption[],
  counterSets: ReadonlyMap<string, ReadonlySet<string>>,
  path: string,
  errors: FieldError[],
): void {
  const at = `${path}.consumesCounters`;
  const check = (entry: DeviceCounterConsumption, field: string, found: FieldError[]) => {
    if (!entry.counterSet) found.push(requiredField(`${field}.counterSet`));
    validateCounters(entry.counters, `${field}.counters`, found);
  };
  validateSet(consumption, undefined, check, ({ counterSet }) => counterSet, ".counterSet", at, errors);
  const total = consumption.reduce((sum, { counters }) => sum + Object.keys(counters ?? {}).length, 0);
  if (total > MAX_COUNTERS) {
    errors.push(invalidField(path, total, `the total number of counters must not exceed ${MAX_COUNTERS}`));
  }
  for (const [index, { counterSet, counters }] of consumption.entries()) {
    const known = counterSets.get(counterSet);
    if (known === undefined) {
      const detail = "must reference a counterSet defined in the ResourceSlice sharedCounters";
      errors.push(invalidField(`${at}[${index}].counterSet`, counterSet, detail));
      continue;
    }
    for (const name of Object.keys(counters ?? {}).filter((counter) => !known.has(counter))) {
      const detail = "must reference a counter defined in the ResourceSlice sharedCounters";
      errors.push(invalidField(`${at}[${index}].counters`, name, detail));
    }
  }
}

function validateDevicePlace(device: BasicDevice, hasOwnPlace: boolean, path: string, errors: FieldError[]): void {
  const { nodeName, nodeSelector, allNodes } = device;
  const given: string[] = [];
  if (!hasOwnPlace) {
    if (nodeName === undefined && nodeSelector === undefined && allNodes === undefined) return;
    const detail =
      "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
    errors.push(invalidField(path, undefined, detail));
    return;
  }
  if (nodeName) {
    given.push("`nodeName`");
    errors.push(...invalidFields(`${path}.nodeName`, nodeName, checkSubdomain(nodeName)));
  } else if (nodeName !== undefined) {
    errors.push(invalidField(`${path}.nodeName`, nodeName, "must not be empty"));
  }
  if (nodeSelector !== undefined) {
    given.push("`nodeSelector`");
    validateNodeSelector(nodeSelector, `${path}.nodeSelector`, errors);
  }
  if (allNodes === true) given.push("`allNodes`");
  else if (allNodes === false) {
    errors.push(invalidField(`${path}.allNodes`, false, "must be either unset or set to true"));
  }
  const detail =
    "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
  if (given.length === 0) errors.push(requiredField(path, detail));
  if (given.length > 1) errors.push(invalidField(path, `{${given.join(", ")}}`, detail));
}

function validateAttribute(attribute: DeviceAttribute, path: string, errors: FieldError[]): void {
  const { string: text, version } = attribute;
  if (text !== undefined && Buffer.byteLength(text) > MAX_VALUE) errors.push(tooLongField(`${path}.string`, MAX_VALUE));
  if (version !== undefined) {
    if (!VERSION.test(version)) {
      const detail = "must be a string compatible with semver.org spec 2.0.0";
      errors.push(invalidField(`${path}.version`, version, detail));
    }
    if (Buffer.byteLength(version) > MAX_VALUE) errors.push(tooLongField(`${path}.version`, MAX_VALUE));
  }
  const given = Object.values(attribute).filter((value) => value !== undefined).length;
  const detail = "exactly one value must be specified";
  if (given === 0) errors.push(requiredField(path, detail));
  if (given > 1) errors.push(invalidField(path, shownAs("resource.DeviceAttribute", attribute), detail));
}

function validateCounters(counters: Record<string, Counter> | undefined, path: string, errors: FieldError[]): void {
  const names = Object.keys(counters ?? {});
  if (names.length === 0) errors.push(requiredField(path));
  for (const name of names) validateLabelText(name, `${path}[${shownKey(name, MAX_COUNTER_NAME)}]`, errors);
}

function validateCounterTotals(spec: ResourceSliceSpec, path: string, errors: FieldError[]): void {
  const count = (sets: readonly { counters?: Record<string, Counter> }[]) =>
    sets.reduce((sum, { counters }) => sum + Object.keys(counters ?? {}).length, 0);
  const used = count((spec.devices ?? []).flatMap(({ basic }) => basic?.consumesCounters ?? []));
  if (used > MAX_DEVICE_COUNTERS) {
    const detail = `the total number of counters in devices must not exceed ${MAX_DEVICE_COUNTERS}`;
    errors.push(invalidField(`${path}.devices`, used, detail));
  }
  const shared = count(spec.sharedCounters ?? []);
  if (shared > MAX_COUNTERS) {
    const detail = `the total number of shared counters must not exceed ${MAX_COUNTERS}`;
    errors.push(invalidField(`${path}.sharedCounters`, shared, detail));
  }
}

/** Long names are shortened in messages: beginning and end are shown. */
function shownKey(name: string, limit = MAX_NAME): string {
  const bytes = Buffer.from(name);
  if (bytes.length <= limit) return name;
  const rest = limit - 3;
  const [start, end] = [bytes.subarray(0, Math.floor((rest + 1) / 2)), bytes.subarray(-Math.floor(rest / 2))];
  return `${start.toString("utf8")}...${end.toString("utf8")}`;
}
