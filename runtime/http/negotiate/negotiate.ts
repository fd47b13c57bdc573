import { mediaTypesAccepted, notAcceptable, unsupportedMediaType } from "../../values/status-errors.ts";
import { mediaTypeOf } from "./media-type.ts";
import type { MediaFormat, MediaTypes } from "./media-types.ts";

/** `Owners` is specific to this server: a Table with one row per field of an object and the owner of that field. */
export type TransformKind = "Table" | "Owners" | "PartialObjectMetadata" | "PartialObjectMetadataList";

/** Tables have no protobuf or CBOR form, as in Kubernetes. */
const TABLE_FORMATS: ReadonlySet<MediaFormat> = new Set(["json", "yaml"]);

/** The representation of a response. */
export interface Representation {
  readonly format: MediaFormat;
  readonly transform?: { readonly kind: TransformKind; readonly version: "v1" | "v1beta1" };
  /** Whether a parameter of the media type requests indented JSON. */
  readonly pretty: boolean;
}

export interface NegotiationRules {
  /** Whether the path can be watched: a 406 response then lists its stream media types too. */
  readonly watch: boolean;
  /** Whether Table and PartialObjectMetadata may be requested; `metadata` for resources without a Table. */
  readonly transforms: boolean | "metadata";
  /** Whether objects have no protobuf form, as those of custom kinds. Their metadata still has one. */
  readonly textOnly?: boolean;
  /** Whether the path may respond with plain text. */
  readonly plain?: boolean;
}

/** One clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** More than any client sends. The rest of an Accept header is ignored, to bound the cost of parsing. */
const MOST_CLAUSES = 100;
const MOST_PARAMETERS = 20;

/** The media types that a header lists, without their parameters. */
export function acceptedNames(header: string): string[] {
  return header.split(",", MOST_CLAUSES).map((clause) => (clause.split(";", 1)[0] ?? "").trim());
}

/** Clauses sorted by descending quality, then by descending precision, otherwise in the order of the header. */
export function parseAccept(header: string): AcceptClause[] {
  const clauses: AcceptClause[] = [];
  for (const text of header.split(",", MOST_CLAUSES)) {
    const [name = "", ...rest] = text.split(";", MOST_PARAMETERS);
    const [type = "", subtype = ""] = name.trim().split("/", 2);
    if (type === "" || (subtype === "" && type !== "*")) {
      continue;
    }
    const parameters = new Map<string, string>();
    let quality = 1;
    for (const parameter of rest) {
      const at = parameter.indexOf("=");
      if (at < 0) {
        continue;
      }
      const key = parameter.slice(0, at).trim();
      const value = parameter.slice(at + 1).trim();
      if (key === "q") {
        const number = Number(value);
        quality = Number.isFinite(number) && number > 0 && number <= 1 ? number : 1;
      } else {
        parameters.set(key, value);
      }
    }
    clauses.push({ type, subtype: subtype === "" ? "*" : subtype, quality, parameters });
  }
  return clauses
    .map((clause, index) => ({ clause, index }))
    .sort(
      (a, b) => b.clause.quality - a.clause.quality || precision(b.clause) - precision(a.clause) || a.index - b.index,
    )
    .map(({ clause }) => clause);
}

function precision(clause: AcceptClause): number {
  return clause.type === "*" ? 0 : clause.subtype === "*" ? 1 : 2;
}

/** First of Kubernetes' two checks of the Accept header. Throws 406 with the long message if the header names no supported media type. */
export function checkAccepted(header: string | undefined, types: MediaTypes, rules: NegotiationRules): void {
  if (!isAccepted(header, types, rules)) {
    throw notAcceptable(acceptable(types, rules));
  }
}

export function isAccepted(header: string | undefined, types: MediaTypes, rules: NegotiationRules): boolean {
  return isPlain(header) || namesAny(header, namesOf(types, rules));
}

/** The media types that a 406 response lists. */
export function acceptable(types: MediaTypes, rules: NegotiationRules): readonly string[] {
  const streams = rules.watch ? [`${types.nameOf.json};stream=watch`, `${types.nameOf.protobuf};stream=watch`] : [];
  return [...namesOf(types, rules), ...streams];
}

/** Chooses the representation. Throws 406 with the short message if the path serves none of the media types with their parameters. */
export function negotiate(header: string | undefined, types: MediaTypes, rules: NegotiationRules): Representation {
  if (isPlain(header)) {
    return JSON_PLAIN;
  }
  const found = negotiateClauses(header, types, rules);
  if (!found) {
    throw mediaTypesAccepted(types.names);
  }
  return found;
}

function isPlain(header: string | undefined): header is undefined | "" | "*/*" | "application/json" {
  return header === undefined || header === "" || header === "*/*" || header === "application/json";
}

export const JSON_PLAIN: Representation = { format: "json", pretty: false };

/** Of wildcards, only the one for all types counts. Parameters are ignored. */
function namesAny(header: string, names: readonly string[]): boolean {
  return acceptedNames(header).some((name) => name === "*/*" || names.includes(name));
}

function namesOf(types: MediaTypes, { plain }: NegotiationRules): readonly string[] {
  return plain ? ["text/plain", ...types.names] : types.names;
}

/** Second of the two checks. For some discovery documents it is the only one. */
export function negotiateClauses(
  header: string,
  types: MediaTypes,
  rules: NegotiationRules,
): Representation | undefined {
  for (const clause of parseAccept(header)) {
    for (const format of types.formats) {
      if (clauseNames(clause, types.nameOf[format])) {
        const representation = withParameters(clause, format, types, rules);
        if (representation) {
          return representation;
        }
      }
    }
  }
  return undefined;
}

export function clauseNames(clause: AcceptClause, mediaType: string): boolean {
  const [type, subtype] = mediaType.split("/");
  if (clause.type === "*") return clause.subtype === "*";
  return clause.type === type && (clause.subtype === "*" || clause.subtype === subtype);
}

function withParameters(
  clause: AcceptClause,
  format: MediaFormat,
  types: MediaTypes,
  rules: NegotiationRules,
): Representation | undefined {
  const { parameters } = clause;
  const stream = parameters.get("stream");
  // YAML cannot be streamed.
  if (stream !== undefined && (stream !== "watch" || format === "yaml")) {
    return undefined;
  }
  const pretty = parameters.get("pretty") === "1";
  const kind = parameters.get("as");
  if (kind === undefined) {
    if (rules.textOnly && format === "protobuf") return undefined;
    return parameters.has("g") || parameters.has("v") ? undefined : { format, pretty };
  }
  const version = parameters.get("v");
  if (!rules.transforms || parameters.get("g") !== types.metaGroup || (version !== "v1" && version !== "v1beta1")) {
    return undefined;
  }
  switch (kind) {
    case "Table":
    case "Owners":
      return !TABLE_FORMATS.has(format) || rules.transforms === "metadata"
        ? undefined
        : { format, pretty, transform: { kind, version } };
    case "PartialObjectMetadata":
    case "PartialObjectMetadataList":
      return { format, pretty, transform: { kind, version } };
    default:
      return undefined;
  }
}

/** The format of a request body according to its Content-Type; JSON by default. */
export function formatOfBody(contentType: string | undefined, types: MediaTypes): MediaFormat {
  if (contentType === undefined || contentType === "") {
    return "json";
  }
  const name = contentType.includes(";") ? mediaTypeOf(contentType) : contentType.toLowerCase();
  const format = types.formats.find((candidate) => types.nameOf[candidate] === name);
  if (!format) {
    throw unsupportedMediaType(types.names);
  }
  return format;
}
