import { ConditionStatus } from "../../../generated/values/apiregistration.v1.ts";
import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { goQuote } from "../../../runtime/go/quote.ts";
import {
  collectErrors,
  invalidField,
  invalidFields,
  requiredField,
  unsupportedField,
} from "../../../runtime/values/field-errors.ts";
import { checkPortNumber } from "../../../runtime/values/formats.ts";
import { checkDns1035Label, checkPathSegment, checkSubdomain } from "../../../runtime/values/names.ts";
import { formatTime } from "../../../runtime/values/times.ts";
import { keepMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import type { APIService, APIServiceSpec, ServiceReference } from "./api-service.ts";

const NO_SPEC = {} as APIServiceSpec;
const MAX_GROUP_PRIORITY = 20_000;
const MAX_VERSION_PRIORITY = 1000;

export const hooks = kindHooks<APIService>({
  validate: (service) => collectErrors((errors) => validateApiService(service, errors)),
  cells: ({ spec, status }) => ({
    Service: spec?.service ? `${spec.service.namespace ?? ""}/${spec.service.name ?? ""}` : "Local",
    Available: availableText(status),
  }),
  validation: {
    name: checkPathSegment,
    subresources: {
      status: ({ status }) =>
        (status?.conditions ?? []).flatMap(({ status: value }, index) =>
          ConditionStatus.includes(value)
            ? []
            : [unsupportedField(`status.conditions[${index}].status`, value, ConditionStatus)],
        ),
    },
  },
  lifecycle: {
    /** Groups that this server serves itself are available as soon as they are registered. */
    prepareForCreate: (object, { now }) => {
      if (object.spec?.service) return;
      const condition = {
        type: "Available",
        status: "True",
        lastTransitionTime: formatTime(now()),
        reason: "Local",
        message: "Local APIServices are always available",
      } as const;
      object.status = { conditions: [condition] };
    },
    prepareForUpdate: keepMetadataOnStatus,
    resetFields: { "": ["status"], status: ["spec", "metadata"] },
  },
  compatibility: {
    order: { update: ["metadataAsChange", "metadataAsNew", "declared", "validate"] },
    freeFinalizers: true,
  },
});

function availableText(status: APIService["status"]): string {
  const available = status?.conditions?.find((condition) => condition.type === "Available");
  if (available === undefined) return "Unknown";
  return available.status === "True" ? "True" : `${available.status} (${available.reason ?? ""})`;
}

function validateApiService({ metadata, spec = NO_SPEC }: APIService, errors: FieldError[]): void {
  const { group = "", version = "", groupPriorityMinimum = 0, versionPriority = 0, service } = spec;
  const expected = `${version}.${group}`;
  for (const field of ["generateName", "name"] as const) {
    const name = metadata?.[field] ?? "";
    if (name === "" || name === expected || checkPathSegment(name).length > 0) continue;
    errors.push(
      invalidField(`metadata.${field}`, name, `must be \`spec.version+"."+spec.group\`: ${goQuote(expected)}`),
    );
  }
  if (group !== "") errors.push(...invalidFields("spec.group", group, checkSubdomain(group)));
  else if (version !== "v1") {
    errors.push(requiredField("spec.group", "only v1 may have an empty group and it better be legacy kube"));
  }
  errors.push(...invalidFields("spec.version", version, checkDns1035Label(version)));
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > MAX_GROUP_PRIORITY) {
    const detail = `must be positive and less than ${MAX_GROUP_PRIORITY}`;
    errors.push(invalidField("spec.groupPriorityMinimum", groupPriorityMinimum, detail));
  }
  if (versionPriority <= 0 || versionPriority > MAX_VERSION_PRIORITY) {
    const detail = `must be positive and less than ${MAX_VERSION_PRIORITY}`;
    errors.push(invalidField("spec.versionPriority", versionPriority, detail));
  }
  if (service === undefined) validateLocal(spec, errors);
  else validateRemote(spec, service, errors);
}

/** Validates an APIService without a service, which has no connection to secure. */
function validateLocal({ caBundle = "", insecureSkipTLSVerify }: APIServiceSpec, errors: FieldError[]): void {
  if (caBundle !== "") {
    const size = `${Buffer.from(caBundle, "base64").length} bytes`;
    errors.push(invalidField("spec.caBundle", size, "local APIServices may not have a caBundle"));
  }
  if (insecureSkipTLSVerify === true) {
    const detail = "local APIServices may not have insecureSkipTLSVerify";
    errors.push(invalidField("spec.insecureSkipTLSVerify", true, detail));
  }
}

function validateRemote(spec: APIServiceSpec, service: ServiceReference, errors: FieldError[]): void {
  const { namespace = "", name = "", port = 0 } = service;
  if (namespace === "") errors.push(requiredField("spec.service.namespace"));
  if (name === "") errors.push(requiredField("spec.service.name"));
  const problems = checkPortNumber(port);
  if (problems.length > 0) {
    errors.push(invalidField("spec.service.port", port, `port is not valid: ${problems.join(", ")}`));
  }
  if (spec.insecureSkipTLSVerify === true && spec.caBundle) {
    errors.push(invalidField("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present"));
  }
}
