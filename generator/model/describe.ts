import type { JsonValue, Markers } from "./contract.ts";
import type { FieldModel, GateModel, Model, ValueDescriptions } from "./model.ts";
import { findType, isRef } from "./type-walk.ts";
import { compareReleases } from "./versions.ts";

/**
 * Returns the description of a field followed by what its markers state, always in the same order and wording. A description need not repeat
 * a default, a limit, the allowed values, list keys, a gate or a deprecation.
 */
export function describeField(model: Model, field: FieldModel): string {
  const { markers, values } = rulesOf(model, field);
  const sentences = [
    ...deprecation(markers),
    ...valueRules(markers),
    ...entryRules(markers),
    ...defaultOf(markers),
    ...(markers.immutable ? ["Cannot be changed after creation."] : []),
    ...gates(markers, model),
  ];
  const facts = sentences.join(" ");
  const list = allowedValues(markers, values, field.description) ?? allowedEntries(model, field);
  return joined(joined(field.description, facts), list ?? "");
}

/** Returns the allowed values of entries of a list or map, unless the description names all of them. */
function allowedEntries(model: Model, { type, description }: FieldModel): string | undefined {
  if (typeof type !== "object") return undefined;
  const of = "list" in type ? type.list : type.map;
  const named = isRef(of) ? findType(model, of) : undefined;
  if (named?.form !== "alias" || namesAll(description, named.markers.enum)) return undefined;
  return allowedValues(named.markers, named.valueDescriptions, description);
}

function namesAll(description: string, values: readonly string[] = []): boolean {
  return namedIn(description, values).length === values.length;
}

function namedIn(description: string, values: readonly string[]): readonly string[] {
  return values.filter((value) => value === "" || description.includes(code(value)));
}

/** Appends text to the last paragraph. Lists are separated by an empty line. */
function joined(text: string, more: string): string {
  if (text === "" || more === "") return text + more;
  const endsWithList = text.slice(text.lastIndexOf("\n") + 1).startsWith("- ");
  return `${text}${endsWithList || more.includes("\n") ? "\n\n" : " "}${more}`;
}

/** Returns the markers that apply to a field: its own and those of its named type. */
function rulesOf(
  model: Model,
  field: Pick<FieldModel, "type" | "markers" | "valueDescriptions">,
): { markers: Markers; values: ValueDescriptions | undefined } {
  const named = isRef(field.type) ? findType(model, field.type) : undefined;
  if (named?.form !== "alias") return { markers: field.markers, values: field.valueDescriptions };
  const ofType = rulesOf(model, { ...named, type: named.is });
  return { markers: { ...ofType.markers, ...field.markers }, values: field.valueDescriptions ?? ofType.values };
}

function deprecation({ deprecated }: Markers): string[] {
  if (deprecated === undefined) return [];
  return [deprecated === true ? "Deprecated." : `Deprecated: ${sentence(deprecated)}`];
}

function valueRules({ minimum, maximum, minLength, maxLength, pattern, format }: Markers): string[] {
  const characters = count(maxLength, "character");
  return [
    ...range(minimum, maximum, (low, high) => `between ${low} and ${high}`, String),
    ...(minLength === 1 && maxLength === undefined
      ? ["Must not be empty."]
      : range(
          minLength,
          maxLength,
          (low) => `${low} to ${characters} long`,
          (length) => `${count(length, "character")} long`,
        )),
    ...(format === undefined ? [] : [`Must be ${FORMATS[format] ?? `of format \`${format}\``}.`]),
    ...(pattern === undefined ? [] : [`Must match the regular expression \`${pattern}\`.`]),
  ];
}

function entryRules({ minItems, maxItems, maxProperties, listType, listMapKeys }: Markers): string[] {
  const most = maxItems ?? maxProperties;
  const keys = listMapKeys?.map(code) ?? [];
  return [
    ...(listType === "map" && keys.length > 0 ? [`Entries are identified by ${and(keys)}.`] : []),
    ...(listType === "set" ? ["Entries must be unique."] : []),
    ...(minItems === 1 && most === undefined
      ? ["Must have at least one entry."]
      : range(
          minItems,
          most,
          (low, high) => `${low} to ${count(high, "entry")}`,
          (size) => count(size, "entry"),
          "have",
        )),
  ];
}

function range(
  low: number | undefined,
  high: number | undefined,
  both: (low: number, high: number) => string,
  one: (limit: number) => string,
  verb = "be",
): string[] {
  if (low !== undefined && high !== undefined) return [`Must ${verb} ${both(low, high)}.`];
  if (low !== undefined) return [`Must ${verb} at least ${one(low)}.`];
  return high === undefined ? [] : [`Must ${verb} at most ${one(high)}.`];
}

function count(amount: number | undefined, noun: "character" | "entry"): string {
  if (amount === 1) return `1 ${noun}`;
  return `${amount} ${noun === "entry" ? "entries" : "characters"}`;
}

function defaultOf({ default: value }: Markers): string[] {
  return value === undefined ? [] : [`Defaults to ${shown(value)}.`];
}

function shown(value: JsonValue): string {
  if (value === "") return "an empty string";
  return code(typeof value === "string" ? value : JSON.stringify(value));
}

/** Omits a gate that is locked. */
function gates({ gate }: Markers, { gates: known, release }: Model): string[] {
  if (gate === undefined) return [];
  const names = gate.split(",");
  const states = names.map((name) =>
    gateState(
      known.find((each) => each.name === name),
      release,
    ),
  );
  if (states.includes("locked")) return [];
  const [state] = states;
  const which = names.length === 1 ? `feature gate ${code(gate)}` : `one of the feature gates ${and(names.map(code))}`;
  const standard = states.every((each) => each === state)
    ? `, which ${names.length === 1 ? "is" : "are"} ${state} by default`
    : "";
  return [`Requires the ${which}${standard}.`.replace("the one", "one")];
}

function gateState(gate: GateModel | undefined, release: string): "on" | "off" | "locked" {
  const step = gate?.steps.filter(({ since }) => compareReleases(since, release) <= 0).at(-1);
  if (step === undefined || !step.enabled) return "off";
  return step.locked ? "locked" : "on";
}

/**
 * Returns one line for each value if any of them has a description, otherwise all values in one sentence. Returns undefined if the
 * description already names all values, or the most important ones of an open set.
 */
function allowedValues(
  { enum: values, closed }: Markers,
  descriptions: ValueDescriptions | undefined,
  description: string,
): string | undefined {
  if (values === undefined || values.length === 0) return undefined;
  const enough = closed ? values.length : Math.min(2, values.length);
  if (descriptions === undefined && namedIn(description, values).length >= enough) return undefined;
  const title = closed ? "Allowed values" : "Well-known values";
  if (descriptions === undefined) return `${title}: ${values.map(shown).join(", ")}.`;
  const lines = values.map((value) => {
    const meaning = descriptions.get(value);
    return `- ${shown(value)}${meaning === undefined ? "" : `: ${meaning}`}`;
  });
  return [`${title}:`, ...lines].join("\n");
}

const FORMATS: { readonly [format: string]: string } = {
  "dns1123-label": "a DNS label (RFC 1123)",
  "dns1123-subdomain": "a DNS subdomain (RFC 1123)",
  "dns1035-label": "a DNS label (RFC 1035)",
  "qualified-name": "a qualified name",
  "label-value": "a valid label value",
  "config-map-key": "a valid ConfigMap key",
  "env-var-name": "a valid environment variable name",
  ip: "an IP address",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  cidr: "a network in CIDR notation",
  "port-name": "a valid port name",
  uri: "a URI",
  uuid: "a UUID",
  "absolute-path": "an absolute path",
};

function code(text: string): string {
  return `\`${text}\``;
}

function and(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
