import { fieldsV1ToSet, setToFieldsV1 } from "../../runtime/apply/fieldpath/fields-v1.ts";
import { CompiledExpression, createEnvironment } from "../../runtime/cel/cel.ts";
import { DYN } from "../../runtime/cel/types/cel-type.ts";
import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { decodeCbor } from "../../runtime/encoding/cbor/decode-cbor.ts";
import { encodeCbor } from "../../runtime/encoding/cbor/encode-cbor.ts";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { decodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { parseYaml } from "../../runtime/encoding/yaml/parse-yaml.ts";
import { stringifyYaml } from "../../runtime/encoding/yaml/stringify-yaml.ts";
import { parseDuration } from "../../runtime/go/duration.ts";
import { parseGoUrl } from "../../runtime/go/url.ts";
import { formatCheck } from "../../runtime/kinds/custom/validation/formats.ts";
import type { JsonObject, JsonValue } from "../../runtime/lib/json-object.ts";
import { applyJsonPatch } from "../../runtime/patch/json-patch.ts";
import { parseFieldSelector } from "../../runtime/values/field-selector.ts";
import { checkCidr, checkIp, parseLenientCidr, parseLenientIp } from "../../runtime/values/ip-checks.ts";
import { compilePath } from "../../runtime/values/json-path.ts";
import { compileLabelSelector, parseLabelSelector } from "../../runtime/values/label-selector.ts";
import { canonicalQuantity } from "../../runtime/values/quantity.ts";
import { parseTime } from "../../runtime/values/times.ts";
import { readCertificateRequest } from "../../runtime/x509/certificate-request.ts";
import { pemBlocks } from "../../runtime/x509/pem.ts";
import { schemas } from "../kinds/conversions/converters.ts";
import { applyMergePatch } from "../patch/fixtures/apply-patch.ts";
import { expression } from "./attackers/expressions.ts";
import { SERVED } from "./attackers/targets.ts";
import { encodeBody, type Format } from "./encode-body.ts";
import { hostileValue, mutate, mutateBytes } from "./mutate.ts";
import type { Random } from "./random.ts";
import { VALID_OBJECTS } from "./valid-objects.ts";

/** Runs one parser of the server on one input, without a server. */
export type Parser = (random: Random) => () => unknown;

const FORMATS =
  "date datetime duration email hostname ipv4 ipv6 cidr mac uri uuid byte bsonobjectid isbn creditcard".split(" ");

const environment = createEnvironment({ variables: { self: DYN } });

function anyObject(random: Random): { value: unknown; type: string } {
  const endpoint = random.pick(SERVED);
  const body = VALID_OBJECTS[endpoint.resource] ?? { spec: hostileValue(random, 2) };
  const apiVersion = endpoint.group === "" ? endpoint.version : `${endpoint.group}/${endpoint.version}`;
  return { value: { apiVersion, kind: endpoint.kind, metadata: { name: "a" }, ...body }, type: endpoint.type };
}

function anyBody(random: Random, format: Format): Buffer {
  const { value, type } = anyObject(random);
  return encodeBody(random, format, random.chance(0.8) ? mutate(random, value) : value, type);
}

const ofString =
  (parse: (text: string) => unknown): Parser =>
  (random) => {
    const text = random.chance(0.5)
      ? random.hostileString()
      : mutateBytes(random, Buffer.from(random.hostileString(2000))).toString();
    return () => parse(text);
  };

export const PARSERS: Readonly<Record<string, Parser>> = {
  json(random) {
    const body = anyBody(random, "json");
    return () => stringifyJson(parseJson(body).value);
  },
  yaml(random) {
    const body = anyBody(random, "yaml");
    return () => stringifyYaml(parseYaml(body).value);
  },
  cbor(random) {
    const body = anyBody(random, "cbor");
    return () => encodeCbor(decodeCbor(body));
  },
  protobuf(random) {
    const body = anyBody(random, "protobuf");
    const { type } = anyObject(random);
    return () => schemas.of(type as TypeRef).decodeProtobuf(decodeEnvelope(body).raw);
  },
  schema(random) {
    const { value, type } = anyObject(random);
    const changed = mutate(random, value);
    return () => schemas.of(type as TypeRef).decode(changed);
  },
  jsonPatch(random) {
    const { value } = anyObject(random);
    const operations = Array.from({ length: random.length(2000) }, () => ({
      op: random.pick(["add", "remove", "replace", "move", "copy", "test"]),
      path: random.pick([
        "",
        "/a",
        "/metadata",
        "/metadata/name",
        "/spec/-",
        `/${random.hostileName()}`,
        "/metadata/a/b",
      ]),
      from: random.pick(["", "/metadata", "/spec", "/a"]),
      value: hostileValue(random, 1),
    }));
    return () => applyJsonPatch(value as JsonValue, operations as JsonValue);
  },
  mergePatch(random) {
    const { value } = anyObject(random);
    const patch = mutate(random, value);
    return () => applyMergePatch(value as JsonObject, patch as JsonValue);
  },
  fieldsV1(random) {
    const fields = { [`${random.pick(["f", "k", "v", "i"])}:${random.hostileString(500)}`]: hostileValue(random, 3) };
    return () => setToFieldsV1(fieldsV1ToSet(fields as JsonObject));
  },
  cel(random) {
    const text = expression(random, "self", 4);
    const value = { self: { a: random.hostileString(20_000), b: [1, 2, 3], constructor: {} } };
    return () => {
      const compiled = environment.compile(text);
      if (compiled instanceof CompiledExpression) compiled.evaluate(value);
    };
  },
  labelSelector: ofString((text) => compileLabelSelector(parseLabelSelector(text))({ a: "b" })),
  fieldSelector: ofString(parseFieldSelector),
  quantity: ofString(canonicalQuantity),
  duration: ofString(parseDuration),
  time: ofString((text) => parseTime(text)),
  url: ofString(parseGoUrl),
  address: ofString((text) => [checkIp(text), checkCidr(text), parseLenientIp(text), parseLenientCidr(text)]),
  jsonPath: ofString((text) => compilePath(text)({ a: [{ b: 1 }], constructor: 1 })),
  formats: ofString((text) => FORMATS.map((format) => formatCheck(format)?.(text))),
  certificates: ofString((text) => [
    pemBlocks(text),
    readCertificateRequest(
      `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(text).toString("base64")}\n-----END CERTIFICATE REQUEST-----`,
    ),
  ]),
};

/** Whether an error is one that no parser may throw, because it is not translated into a response. */
export function isCrash(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}
