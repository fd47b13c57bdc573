import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { shown } from "../../../runtime/go/literal.ts";
import { goQuote } from "../../../runtime/go/quote.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import {
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  tooManyField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { formatIp } from "../../../runtime/values/ip-address.ts";
import { parseLenientCidr } from "../../../runtime/values/ip-checks.ts";
import { validateNodeSelector } from "../../core/v1/validation/scheduling.ts";
import { validateImmutable } from "../../meta/v1/change-validation.ts";
import { validateConditions } from "../../meta/v1/condition-validation.ts";
import { shownAllocation } from "./claim-text.ts";
import {
  MAX_CONFIGURATIONS,
  validateConfiguration,
  validateDriverName,
  validateEach,
  validateLabelText,
  validatePoolName,
  validateRawObject,
  validateSet,
} from "./device-checks.ts";
import { requestNames, validateRequestReference, validateRequestReferences } from "./device-claim-validation.ts";
import type {
  AllocatedDeviceStatus,
  AllocationResult,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimStatus,
} from "./resource-claim.ts";

const MAX_CONSUMERS = 256;
const MAX_RESULTS = 32;
const MAX_CONDITIONS = 8;
const MAX_DATA = 10 * 1024;
const MAX_INTERFACE_NAME = 256;
const MAX_HARDWARE_ADDRESS = 128;
const MAX_ADDRESSES = 16;
const SOURCES = ["FromClaim", "FromClass"];

/** Validates the consumers and the allocation of a claim. */
export function validateClaimStatus(
  claim: ResourceClaim,
  old: ResourceClaim,
  path: string,
  errors: FieldError[],
): void {
  const { allocation, reservedFor = [], devices } = claim.status ?? {};
  const oldStatus = old.status ?? {};
  validateSet(
    reservedFor,
    MAX_CONSUMERS,
    (consumer, at, found) => {
      for (const name of ["resource", "name", "uid"] as const) {
        if (!consumer[name]) found.push(requiredField(`${at}.${name}`));
      }
    },
    ({ uid }) => uid,
    ".uid",
    `${path}.reservedFor`,
    errors,
  );
  const allocated = allocatedIds(claim.status);
  validateSet(
    devices,
    undefined,
    (device, at, found) => validateDeviceStatus(device, allocated, at, found),
    deviceId,
    ".deviceID",
    `${path}.devices`,
    errors,
    shown,
  );
  if (reservedFor.length > 0 && allocation === undefined) {
    errors.push(forbiddenField(`${path}.reservedFor`, "may not be specified when `allocated` is not set"));
  } else if (claim.metadata?.deletionTimestamp !== undefined) {
    const isNew = reservedFor.some(
      (entry) => !(oldStatus.reservedFor ?? []).some((known) => equalMeaning(known, entry)),
    );
    const detail = "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set";
    if (isNew) errors.push(forbiddenField(`${path}.reservedFor`, detail));
  }
  if (allocation === undefined) return;
  if (oldStatus.allocation !== undefined) {
    validateImmutable(allocation, oldStatus.allocation, `${path}.allocation`, errors, shownAllocation);
  } else {
    validateAllocation(allocation, requestNames(claim.spec?.devices ?? {}), `${path}.allocation`, errors);
  }
}

/** Drops the statuses of devices whose allocation this change removes. */
export function dropReleasedDevices(claim: ResourceClaim, old: ResourceClaim): void {
  const { status } = claim;
  if (status?.devices === undefined) return;
  const kept = allocatedIds(status);
  const released = [...allocatedIds(old.status)].filter((id) => !kept.has(id));
  const devices = status.devices.filter((device) => !released.includes(deviceId(device)));
  if (devices.length > 0) status.devices = devices;
  else delete status.devices;
}

function allocatedIds(status: ResourceClaimStatus | undefined): Set<string> {
  return new Set((status?.allocation?.devices?.results ?? []).map(deviceId));
}

function deviceId({ driver, pool, device }: { driver: string; pool: string; device: string }): string {
  return `${driver}/${pool}/${device}`;
}

function validateAllocation(
  { devices, nodeSelector }: AllocationResult,
  names: ReadonlySet<string>,
  path: string,
  errors: FieldError[],
): void {
  validateEach(
    devices?.results,
    MAX_RESULTS,
    (result, at, found) => {
      validateRequestReference(result.request ?? "", names, `${at}.request`, found);
      validateDriverName(result.driver, `${at}.driver`, found);
      validatePoolName(result.pool, `${at}.pool`, found);
      validateLabelText(result.device, `${at}.device`, found);
    },
    `${path}.devices.results`,
    errors,
  );
  validateEach(
    devices?.config,
    2 * MAX_CONFIGURATIONS,
    (configuration, at, found) => {
      const { source } = configuration;
      if (!source) found.push(requiredField(`${at}.source`));
      else if (!SOURCES.includes(source)) found.push(unsupportedField(`${at}.source`, source, SOURCES));
      validateRequestReferences(configuration.requests, names, `${at}.requests`, found);
      validateConfiguration(configuration, false, at, found);
    },
    `${path}.devices.config`,
    errors,
  );
  if (nodeSelector !== undefined) validateNodeSelector(nodeSelector, `${path}.nodeSelector`, errors);
}

function validateDeviceStatus(
  device: AllocatedDeviceStatus,
  allocated: ReadonlySet<string>,
  path: string,
  errors: FieldError[],
): void {
  validateDriverName(device.driver, `${path}.driver`, errors);
  validatePoolName(device.pool, `${path}.pool`, errors);
  validateLabelText(device.device, `${path}.device`, errors);
  if (!allocated.has(deviceId(device))) {
    errors.push(invalidField(path, shown(deviceId(device)), "must be an allocated device in the claim"));
  }
  const conditions = device.conditions ?? [];
  if (conditions.length > MAX_CONDITIONS) {
    errors.push(tooManyField(`${path}.conditions`, conditions.length, MAX_CONDITIONS));
  }
  validateConditions(conditions, `${path}.conditions`, errors);
  if (device.data !== undefined) validateRawObject(device.data, MAX_DATA, `${path}.data`, errors);
  if (device.networkData !== undefined) validateNetworkData(device.networkData, `${path}.networkData`, errors);
}

function validateNetworkData(data: NetworkDeviceData, path: string, errors: FieldError[]): void {
  const { interfaceName = "", hardwareAddress = "", ips } = data;
  if (Buffer.byteLength(interfaceName) > MAX_INTERFACE_NAME) {
    errors.push(tooLongField(`${path}.interfaceName`, MAX_INTERFACE_NAME));
  }
  if (Buffer.byteLength(hardwareAddress) > MAX_HARDWARE_ADDRESS) {
    errors.push(tooLongField(`${path}.hardwareAddress`, MAX_HARDWARE_ADDRESS));
  }
  validateSet(ips, MAX_ADDRESSES, validateInterfaceAddress, (ip) => ip, "", `${path}.ips`, errors);
}

/** Validates an IP address with the length of its prefix. */
function validateInterfaceAddress(text: string, field: string, errors: FieldError[]): void {
  const cidr = parseLenientCidr(text);
  if (cidr === undefined) {
    const detail = "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";
    errors.push(invalidField(field, text, detail));
    return;
  }
  const canonical = `${formatIp(cidr.bytes)}/${cidr.length}`;
  if (text !== canonical) errors.push(invalidField(field, text, `must be in canonical form (${goQuote(canonical)})`));
}
