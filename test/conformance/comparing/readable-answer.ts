import { parse } from "yaml";
import { registry } from "../../../generated/registry.ts";
import type { TypeRef } from "../../../runtime/contract/type-table.ts";
import { decodeEnvelope, isEnvelope } from "../../../runtime/encoding/protobuf/envelope.ts";
import { stringifyYaml } from "../../../runtime/encoding/yaml/stringify-yaml.ts";
import { createSchemas } from "../../../runtime/schema/schemas.ts";
import type { Answer, Parsed } from "../../fixtures/plane-client.ts";
import type { Answered } from "./compared-request.ts";

const { resources } = registry.readCatalogue();
const schemas = createSchemas(registry.createTypeSource());
/** Types of responses that are not objects of a resource. */
const OTHERS: Readonly<Record<string, TypeRef>> = {
  Status: "meta/v1.Status",
  PartialObjectMetadata: "meta/v1.PartialObjectMetadata",
  PartialObjectMetadataList: "meta/v1.PartialObjectMetadataList",
  Table: "meta/v1.Table",
  Scale: "autoscaling/v1.Scale",
};

/** Decodes protobuf and YAML to JSON that can be compared. Includes whether the bytes equal those of this project's encoder. */
export function readableAnswer(answer: Answer): Answered {
  const { bytes, text, headers } = answer;
  if (isEnvelope(bytes)) return { ...answer, text: JSON.stringify(decoded(bytes)) };
  if (headers["content-type"] !== "application/yaml") return answer;
  const object = parse(text) as Parsed;
  return { ...answer, text: JSON.stringify({ ...object, isCanonical: stringifyYaml(object) === text }) };
}

function decoded(bytes: Buffer): Parsed {
  const { apiVersion, kind, raw } = decodeEnvelope(bytes);
  const resource = resources.find(
    (one) => `${one.group}${one.group && "/"}${one.version}` === apiVersion && [one.kind, one.listKind].includes(kind),
  );
  const type = OTHERS[kind] ?? (kind === resource?.listKind ? resource?.listType : resource?.type);
  if (type === undefined) return { apiVersion, kind, bytes: bytes.toString("base64") };
  const schema = schemas.of(type);
  const object = schema.decodeProtobuf(raw);
  const isCanonical = Buffer.compare(Buffer.from(schema.encodeProtobuf(object)), raw) === 0;
  return { ...JSON.parse(JSON.stringify(object)), apiVersion, kind, isCanonical };
}
