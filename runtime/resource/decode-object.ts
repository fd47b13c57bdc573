import type { ApiObject } from "../contract/api-object.ts";
import { apiVersionOf } from "../contract/group-version.ts";
import type { StatusError } from "../contract/status.ts";
import { mergeRepeated } from "../encoding/json/merge-repeated.ts";
import { goQuote } from "../go/quote.ts";
import { carryNotes } from "../go/source-notes.ts";
import type { KnownKinds } from "../kinds/known-kinds.ts";
import { unconvertibleKind, unknownKind } from "../kinds/other-kinds.ts";
import { append } from "../lib/append.ts";
import { inTurns, rest, type Steps } from "../lib/in-turns.ts";
import { decodeInOrder, decodeInOrderSteps } from "../schema/decode-in-order.ts";
import { DecodeError } from "../schema/schema-errors.ts";
import { readTypeMeta, type TypeMeta, type TypeReading } from "../schema/type-meta.ts";
import type { TypeSchema } from "../schema/type-schema.ts";
import { describeWrong, wrongTypeMeta } from "../schema/wrong-fields.ts";
import { invalidField } from "../values/field-errors.ts";
import { badRequest, failure, invalid } from "../values/status-errors.ts";
import { limitObjectsSteps } from "./limit-objects.ts";
import { type BodyFormat, type ParsedBody, parseBody, parseLargeBody } from "./parse-body.ts";
import type { LiveParts } from "./parse-like.ts";

/** The expected type of a body. */
export interface ExpectedType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: TypeSchema<ApiObject>;
  /** Returns the schema of another version of a custom kind; undefined if that version is not served. */
  readonly schemaIn?: (apiVersion: string) => TypeSchema<ApiObject> | undefined;
  /** Name of the Go package of the group's internal types, such as `core` or `apps`. */
  readonly goPackage: string;
  readonly kinds: KnownKinds;
  /** Name of the Go scheme in error messages, if it is not the usual one. */
  readonly scheme?: string | undefined;
  /** Error message for an object of any other type. */
  readonly unknown?: string;
  /** Older versions with the same schema, which are decoded as this version. */
  readonly formerly?: readonly string[];
  /** Returns why a decoded object is still rejected; undefined if it is not. */
  readonly unconvertible?: ((object: ApiObject) => string | undefined) | undefined;
  /** Whether the kind is a custom one: apiVersion and kind are then required, and error messages differ. */
  readonly custom?: boolean;
}

export interface DecodedObject {
  readonly object: ApiObject;
  /** Unknown and duplicate fields, as in warnings and strict decoding errors. */
  readonly problems: readonly string[];
  /** The version in the body, or the expected one. */
  readonly version: string;
  /** Set if the version of the body is not the expected one. Kubernetes detects this after decoding, so problems are reported first. */
  readonly mismatch?: StatusError | undefined;
}

/**
 * Decodes a request body to a canonical object. Throws 400 with the messages of Kubernetes. If `known` is given, parts that are equal to
 * the live object are not parsed.
 */
export function decodeObject(
  body: Buffer,
  format: BodyFormat,
  expected: ExpectedType,
  known?: LiveParts,
): DecodedObject {
  let parsed: ParsedBody;
  try {
    parsed = parseBody(body, format, known);
  } catch (error) {
    throw unparsable(error, body, format, expected);
  }
  const given = checkType(parsed, body, format, expected);
  const { version, mismatch } = given;
  // Parts of the live object are in the expected version, so the body must be parsed without them.
  if (mismatch !== undefined && known !== undefined) parsed = parseBody(body, format);
  try {
    return { ...decodeParsed(parsed, givenType(expected, given), given.apiVersion), version, mismatch };
  } catch (error) {
    throw undecodable(error, expected, version);
  }
}

/** Like `decodeObject`, for a large body: takes several turns of the event loop. Throws 413 if the body contains too many objects. */
export async function decodeLargeObject(
  body: Buffer,
  format: BodyFormat,
  expected: ExpectedType,
): Promise<DecodedObject> {
  let parsed: ParsedBody;
  try {
    parsed = await parseLargeBody(body, format);
  } catch (error) {
    throw unparsable(error, body, format, expected);
  }
  const given = checkType(parsed, body, format, expected);
  await rest();
  const isLimited = expected.custom !== true;
  if (isLimited && parsed.form === "value") await inTurns(limitObjectsSteps(parsed.value));
  let decoded: Decoded;
  try {
    decoded = await inTurns(decodeSteps(parsed, givenType(expected, given), given.apiVersion));
  } catch (error) {
    throw undecodable(error, expected, given.version);
  }
  if (isLimited && parsed.form === "message") await inTurns(limitObjectsSteps(decoded.object));
  return { ...decoded, version: given.version, mismatch: given.mismatch };
}

interface GivenVersion {
  /** The apiVersion in which the body is decoded. */
  readonly apiVersion: string;
  /** The version in the body, without its group. */
  readonly version: string;
  /** Schema and error if the version is not the expected one. */
  readonly schema?: TypeSchema<ApiObject>;
  readonly mismatch?: StatusError;
}

/** The type as which to decode a body. */
function givenType(expected: ExpectedType, { schema }: GivenVersion): ExpectedType {
  return schema === undefined ? expected : { ...expected, schema, unconvertible: undefined };
}

/** Describes a body of another version of the expected kind. Throws at once if that version has no schema. */
function otherVersion(apiVersion: string, wanted: string, schema: TypeSchema<ApiObject> | undefined): GivenVersion {
  const mismatch = badRequest(
    `the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`,
  );
  if (schema === undefined) throw mismatch;
  return { apiVersion, version: versionOf(apiVersion), schema, mismatch };
}

/** Returns the version of the object in a body. Throws if the object is not of the expected kind. */
function checkType(parsed: ParsedBody, body: Buffer, format: BodyFormat, expected: ExpectedType): GivenVersion {
  const { apiVersion, kind } = typeOf(parsed, format, body, expected);
  const expectedVersion = apiVersionOf(expected);
  if (expected.custom) {
    const other = checkCustomType(apiVersion, kind, expected, body, parsed);
    if (other !== undefined) return other;
  }
  const isFormer = expected.formerly?.includes(apiVersion) === true;
  const isSame = apiVersion === "" || apiVersion === `${expected.group}/` || isFormer;
  const actualVersion = isSame ? expectedVersion : apiVersion;
  const actualKind = kind === "" ? expected.kind : kind;
  const handled = (problem: string): StatusError =>
    badRequest(
      `${actualKind} in version ${goQuote(versionOf(actualVersion))} cannot be handled as a ${expected.kind}: ${problem}`,
    );
  if (actualVersion.endsWith("/")) {
    throw handled(`Object 'apiVersion' is missing in '${body.toString("utf8")}'`);
  }
  if (actualKind !== expected.kind || actualVersion !== expectedVersion) {
    if (expected.unknown !== undefined) {
      throw badRequest(expected.unknown);
    }
    if (expected.schema.tellsByField && actualKind !== expected.kind)
      throw badRequest(
        `expected apiVersion ${expectedVersion} and kind ${expected.kind}, got ${actualVersion} and ${actualKind}`,
      );
    const value = parsed.form === "value" ? parsed.value : undefined;
    const problem = otherKindProblem(actualVersion, actualKind, value, expected);
    if (problem !== undefined) {
      throw handled(problem);
    }
    return otherVersion(actualVersion, expectedVersion, expected.kinds.schemaOf(actualVersion, actualKind));
  }
  return { apiVersion: expectedVersion, version: isFormer ? versionOf(apiVersion) : expected.version };
}

function undecodable(error: unknown, { kind, unknown }: ExpectedType, version: string): unknown {
  if (!(error instanceof Error)) return error;
  return badRequest(
    unknown ?? `${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: ${error.message}`,
  );
}

/**
 * Returns Kubernetes' error for an object of another kind than expected: the kind is unknown, the object cannot be decoded as that kind, or
 * it cannot be converted. Undefined for another version of the same kind.
 */
export function otherKindProblem(
  apiVersion: string,
  kind: string,
  value: unknown,
  expected: Pick<ExpectedType, "kind" | "kinds" | "goPackage" | "scheme">,
): string | undefined {
  if (!expected.kinds.has(apiVersion, kind)) return unknownKind(apiVersion, kind, expected.scheme);
  if (kind === expected.kind) {
    return undefined;
  }
  try {
    if (value !== undefined) expected.kinds.schemaOf(apiVersion, kind)?.decode(value);
  } catch (error) {
    if (error instanceof DecodeError) return error.message;
    throw error;
  }
  return unconvertibleKind(apiVersion, kind, expected);
}

function checkCustomType(
  apiVersion: string,
  kind: string,
  expected: ExpectedType,
  body: Buffer,
  parsed: ParsedBody,
): GivenVersion | undefined {
  if (kind === "") {
    throw unrecognized(expected.kind, `Object 'Kind' is missing in '${body.toString("utf8")}'`, body);
  }
  const wanted = apiVersionOf(expected);
  if (apiVersion !== wanted) {
    return otherVersion(apiVersion, wanted, kind === expected.kind ? expected.schemaIn?.(apiVersion) : undefined);
  }
  if (kind !== expected.kind) {
    const { metadata } = (parsed.form === "value" ? parsed.value : {}) as { metadata?: { name?: unknown } };
    const name = typeof metadata?.name === "string" ? metadata.name : "";
    throw invalid({ ...expected, kind }, name, [invalidField("kind", kind, `must be ${expected.kind}`)]);
  }
  return undefined;
}

type Decoded = Omit<DecodedObject, "version">;

function decodeParsed(parsed: ParsedBody, expected: ExpectedType, apiVersion: string): Decoded {
  if (parsed.form === "message")
    return withType(expected.schema.decodeProtobuf(parsed.bytes), expected, apiVersion, []);
  const problems = [...(parsed.problems ?? [])];
  if (parsed.repeated !== undefined && !expected.custom) mergeRepeated(parsed.repeated);
  const options = decodeOptions(parsed, problems);
  const decoded = decodeInOrder(expected.schema, parsed.value ?? {}, options, parsed.order ?? asItIs);
  return withType(decoded, expected, apiVersion, problems);
}

function* decodeSteps(parsed: ParsedBody, expected: ExpectedType, apiVersion: string): Steps<Decoded> {
  const problems: string[] = [];
  const decoded = yield* decodeParsedSteps(parsed, expected.schema, problems, expected.custom);
  yield;
  return withType(decoded, expected, apiVersion, problems);
}

/** Decodes a parsed body. Adds unknown and duplicate fields to `problems`. */
export function* decodeParsedSteps<T extends object>(
  parsed: ParsedBody,
  schema: TypeSchema<T>,
  problems: string[],
  custom = false,
): Steps<T> {
  if (parsed.form === "message") {
    if (schema.decodeProtobufSteps === undefined) return schema.decodeProtobuf(parsed.bytes);
    return yield* schema.decodeProtobufSteps(parsed.bytes);
  }
  append(problems, parsed.problems ?? []);
  if (parsed.repeated !== undefined && !custom) mergeRepeated(parsed.repeated);
  yield;
  const options = decodeOptions(parsed, problems);
  return yield* decodeInOrderSteps(schema, parsed.value ?? {}, options, parsed.order ?? asItIs);
}

function withType(
  decoded: ApiObject,
  expected: ExpectedType,
  apiVersion: string,
  problems: readonly string[],
): Decoded {
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = decoded;
  const object = { kind: expected.kind, apiVersion, ...rest } as ApiObject;
  carryNotes(decoded, object);
  const problem = expected.unconvertible?.(object);
  if (problem !== undefined) throw new DecodeError(problem);
  return { object, problems };
}

function* asItIs(): Steps<undefined> {
  yield;
}

function decodeOptions(parsed: ParsedBody & { form: "value" }, problems: string[]) {
  const { duplicates, textOf, isTree = false, ready } = parsed;
  return { problems, given: true, reuses: isTree, ready, ...(duplicates && { duplicates }), ...(textOf && { textOf }) };
}

const EXACT: TypeReading = { anyCase: false };
const ANY_CASE: TypeReading = { anyCase: true };

/** Prefix of the error for a body that cannot be parsed. */
const UNREADABLE: Readonly<Record<BodyFormat, string>> = {
  json: "couldn't get version/kind; json parse error: ",
  yaml: "",
  protobuf: "",
  cbor: "unable to determine group/version/kind: ",
};

function unparsable(error: unknown, body: Buffer, format: BodyFormat, { kind }: ExpectedType): StatusError {
  const why = error instanceof Error ? error.message : String(error);
  return unrecognized(kind, `${UNREADABLE[format]}${why}`, body);
}

function typeOf(parsed: ParsedBody, format: BodyFormat, body: Buffer, expected: ExpectedType): TypeMeta {
  if (parsed.form === "message") {
    return parsed;
  }
  try {
    const said = readTypeMeta(parsed.value, format === "cbor" ? EXACT : ANY_CASE);
    // For custom objects, only keys in the exact case are used, but the values of all spellings must be strings.
    return expected.custom ? readTypeMeta(parsed.value, EXACT) : said;
  } catch (error) {
    const wrong = expected.schema.tellsByField ? wrongTypeMeta(parsed.value) : undefined;
    if (wrong !== undefined) throw badRequest(`the body is not of kind ${expected.kind}: ${describeWrong([wrong])}`);
    throw unrecognized(expected.kind, error instanceof Error ? error.message : String(error), body);
  }
}

function unrecognized(kind: string, why: string, body: Buffer): StatusError {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summarize(body)})`);
}

const SUMMARY_BYTES = 30;

/** The first bytes of a body: as text if it looks like JSON, otherwise as hexadecimal. */
function summarize(body: Buffer): string {
  if (body.length === 0) {
    return "<empty>";
  }
  const encoding = body[0] === 0x7b ? "utf8" : "hex";
  return body.length > SUMMARY_BYTES
    ? `${body.subarray(0, SUMMARY_BYTES).toString(encoding)} ...`
    : body.toString(encoding);
}

function versionOf(apiVersion: string): string {
  return apiVersion.split("/").at(-1) ?? "";
}

/** Rejects, warns about or ignores unknown and duplicate fields, depending on `fieldValidation`. Then rejects another version. */
export function reportProblems(
  { problems, version, mismatch }: Omit<DecodedObject, "object">,
  level: "Ignore" | "Warn" | "Strict",
  warn: (message: string) => void,
  kind: string,
): void {
  if (level === "Warn") {
    for (const problem of problems) warnLineByLine(problem, warn);
  } else if (level === "Strict" && problems.length > 0) {
    throw failure(
      400,
      "BadRequest",
      `${kind} in version ${goQuote(version)} cannot be handled as a ${kind}: strict decoding error: ${problems.join(", ")}`,
    );
  }
  if (mismatch !== undefined) throw mismatch;
}

/** Like `reportProblems`, for apply configurations in YAML, in which Kubernetes' parser finds duplicates before decoding. */
export function reportUnstrict(
  problems: readonly string[],
  level: "Ignore" | "Warn" | "Strict",
  warn: (message: string) => void,
): void {
  for (const problem of level === "Ignore" ? [] : problems) {
    if (level === "Strict") throw badRequest(`error strict decoding YAML: ${problem}`);
    warnLineByLine(problem, warn);
  }
}

const YAML_PROBLEMS = /^(?:error converting YAML to JSON: )?yaml: unmarshal errors:\n/;

/** Far more than usual. */
const MOST_WARNINGS = 5000;

/** Errors of the YAML parser are lines below a heading. Each line becomes a warning. */
function warnLineByLine(problem: string, warn: (message: string) => void): void {
  if (!YAML_PROBLEMS.test(problem)) {
    warn(problem);
    return;
  }
  for (const line of problem.replace(YAML_PROBLEMS, "").split("\n", MOST_WARNINGS)) {
    warn(line.trim());
  }
}
