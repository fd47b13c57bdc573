import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { shown } from "../../../runtime/go/literal.ts";
import { goTime } from "../../../runtime/go/time.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import { invalidField, invalidFields, requiredField } from "../../../runtime/values/field-errors.ts";
import { checkFinalizer, checkQualifiedName, checkSubdomain, maskTrailingDash } from "../../../runtime/values/names.ts";
import { shownAs } from "../../go-types.ts";
import type { Event } from "./event.ts";

const MAX_WORD = 128;
const MAX_MESSAGE = 1024;
/** Versions with the older, weaker validation. */
const OLD_VERSIONS = new Set(["v1", "events.k8s.io/v1beta1"]);
/** Immutable fields with the format of their values in messages. `reason` occurs twice because Kubernetes checks it twice. */
const IMMUTABLE = [
  ["involvedObject", "core.ObjectReference"],
  ["reason", "text"],
  ["message", "text"],
  ["source", "core.EventSource"],
  ["firstTimestamp", "time"],
  ["lastTimestamp", "time"],
  ["count", "number"],
  ["reason", "text"],
  ["type", "text"],
  ["eventTime", "time"],
  ["action", "text"],
  ["related", "core.ObjectReference"],
  ["reportingComponent", "text"],
  ["reportingInstance", "text"],
] as const;

/** Whether an API version has the rules of `events.k8s.io/v1`, which forbids the deprecated fields. */
export function hasStrictRules(apiVersion: string): boolean {
  return !OLD_VERSIONS.has(apiVersion);
}

/** Applies the rules that only `events.k8s.io/v1` has for new events. */
export function validateNewEvent(event: Event): FieldError[] {
  const errors: FieldError[] = [];
  validateSeries(event, errors);
  if (!event.eventTime) errors.push(requiredField("eventTime"));
  if (event.type !== "Normal" && event.type !== "Warning")
    errors.push(invalidField("type", "", `has invalid value: ${event.type ?? ""}`));
  const leftovers = {
    firstTimestamp: event.firstTimestamp,
    lastTimestamp: event.lastTimestamp,
    count: event.count,
    source: event.source?.component || event.source?.host,
  };
  for (const [field, value] of Object.entries(leftovers))
    if (value) errors.push(invalidField(field, "", "needs to be unset"));
  return errors;
}

/** Rejects changes of fields other than `series`, for `events.k8s.io/v1`. */
export function validateEventChange(event: Event, old: Event): FieldError[] {
  const errors = validateFinalizers(event);
  if (!equalMeaning(event.series, old.series)) validateSeries(event, errors);
  for (const [field, type] of IMMUTABLE) {
    if (equalMeaning(event[field] || undefined, old[field] || undefined)) continue;
    const path = field === "reportingComponent" ? "reportingController" : field;
    errors.push(invalidField(path, shownField(event[field], type), "field is immutable"));
  }
  return errors;
}

function shownField(value: Event[(typeof IMMUTABLE)[number][0]], type: (typeof IMMUTABLE)[number][1]): unknown {
  switch (type) {
    case "text":
      return value ?? "";
    case "number":
      return value ?? 0;
    case "time":
      return shown(goTime((value as string | null | undefined) ?? undefined));
    default:
      return value && shownAs(type, value);
  }
}

/** Applies the rules that every version has for new and changed events. */
export function validateAnyEvent(event: Event, apiVersion: string): FieldError[] {
  const errors: FieldError[] = [];
  const namespace = event.metadata?.namespace ?? "";
  const target = event.involvedObject?.namespace ?? "";
  if (event.eventTime) {
    if (target === "" && namespace !== "default" && namespace !== "kube-system") errors.push(mismatch(target));
    validateReport(event, apiVersion === "v1" ? "reportingComponent" : "reportingController", errors);
  } else if (target === "" ? namespace !== "" && namespace !== "default" : namespace !== target) {
    errors.push(mismatch(target));
  }
  errors.push(...invalidFields("namespace", namespace, checkSubdomain(namespace)));
  return errors;
}

function mismatch(namespace: string): FieldError {
  return invalidField("involvedObject.namespace", namespace, "does not match event.namespace");
}

/** Validates controller, instance, action and reason, which are required, and the length of the message. */
function validateReport(event: Event, controllerField: string, errors: FieldError[]): void {
  const { reportingComponent = "", reportingInstance = "", action = "", reason = "", message = "" } = event;
  if (reportingComponent === "") errors.push(requiredField(controllerField));
  errors.push(...invalidFields(controllerField, reportingComponent, checkQualifiedName(reportingComponent)));
  const words = { reportingInstance, action, reason };
  for (const [field, word] of Object.entries(words)) {
    if (word === "") errors.push(requiredField(field));
    if (Buffer.byteLength(word) > MAX_WORD)
      errors.push(invalidField(field, "", `can have at most ${MAX_WORD} characters`));
  }
  if (Buffer.byteLength(message) > MAX_MESSAGE)
    errors.push(invalidField("message", "", `can have at most ${MAX_MESSAGE} characters`));
}

function validateSeries({ series }: Event, errors: FieldError[]): void {
  if (series === undefined) return;
  if ((series.count ?? 0) < 2) errors.push(invalidField("series.count", "", "should be at least 2"));
  if (!series.lastObservedTime) errors.push(requiredField("series.lastObservedTime"));
}

/** Validates names in `events.k8s.io/v1`, where they follow the rules of other kinds. */
export function validateEventNames({ metadata }: Event): FieldError[] {
  const errors: FieldError[] = [];
  const { name = "", generateName = "" } = metadata;
  if (generateName !== "") {
    const problems = checkSubdomain(maskTrailingDash(generateName));
    errors.push(...invalidFields("metadata.generateName", generateName, problems));
  }
  if (name === "") errors.push(requiredField("metadata.name", "name or generateName is required"));
  else errors.push(...invalidFields("metadata.name", name, checkSubdomain(name)));
  return errors;
}

/** Rejects finalizers without a domain, for `events.k8s.io/v1`. */
export function validateFinalizers({ metadata }: Pick<Event, "metadata">): FieldError[] {
  return (metadata?.finalizers ?? []).flatMap((finalizer, index) =>
    invalidFields(`metadata.finalizers[${index}]`, finalizer, checkFinalizer(finalizer)),
  );
}
