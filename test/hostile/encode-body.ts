import type { TypeRef } from "../../runtime/contract/type-table.ts";
import { encodeCbor } from "../../runtime/encoding/cbor/encode-cbor.ts";
import { encodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { schemas } from "../kinds/conversions/converters.ts";
import { mutateBytes } from "./mutate.ts";
import type { Random } from "./random.ts";

export type Format = "json" | "yaml" | "cbor" | "protobuf";

export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: "application/json",
  yaml: "application/yaml",
  cbor: "application/cbor",
  protobuf: "application/vnd.kubernetes.protobuf",
};

/** Maximum size of an input. Larger ones take long only because of their size. */
const MOST_BYTES = 256 * 1024;

/**
 * Encodes a value. If its type has no encoding in the format, returns JSON, which is sent with the content type of the format and is a useful
 * input, too.
 */
export function encodeBody(random: Random, format: Format, value: unknown, type?: string): Buffer {
  const json = Buffer.from(toJson(random, value));
  const bytes = attempt(() => {
    if (format === "yaml") return Buffer.from(toYaml(random, value, 0));
    if (format === "cbor") return encodeCbor(value);
    if (format === "protobuf" && type !== undefined) {
      const { apiVersion, kind } = value as { apiVersion: string; kind: string };
      const raw = schemas.of(type as TypeRef).encodeProtobuf(schemas.of(type as TypeRef).decode(value));
      return encodeEnvelope({ apiVersion, kind, raw, contentEncoding: "", contentType: "" });
    }
    return json;
  }, json);
  const cut = bytes.subarray(0, MOST_BYTES);
  return random.chance(0.3) ? mutateBytes(random, cut) : cut;
}

function attempt(make: () => Buffer, otherwise: Buffer): Buffer {
  try {
    return make();
  } catch {
    return otherwise;
  }
}

/** Returns JSON, sometimes with repeated keys, unusual spacing, or numbers that no number type can hold. */
function toJson(random: Random, value: unknown): string {
  let text: string;
  try {
    text = JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? Number(one) : one)) ?? "null";
  } catch {
    text = "{}";
  }
  if (random.chance(0.8)) return text;
  return random.one(
    () => text.replace(/"([a-z]+)":/i, '"$1":1,"$1":'),
    () => text.replace(/\d+/, "9".repeat(random.length(20_000))),
    () => text.replace(/\d+/, `1${random.pick(["e400", "e-400", ".0", "E+2", "e"])}`),
    () => text.replace(/"/, '"\\ud800\\u0000\\u2028'),
    () => ` \n\t${text}${random.pick([" ", "{}", ",", "\0", "\u00a0", "//x"])}`,
    () => `${"[".repeat(random.length(20_000))}${text}`,
    () => `${'{"a":'.repeat(random.length(20_000))}${text}`,
  );
}

/** Returns YAML in several styles. Hostile scalars are mostly quoted, sometimes plain. */
function toYaml(random: Random, value: unknown, depth: number): string {
  const indent = "  ".repeat(depth);
  const anchor = random.chance(0.03) ? random.pick(["&a ", "*a ", "!!str ", "!!binary ", "!x ", "? ", "&a *a "]) : "";
  if (depth < 60 && Array.isArray(value) && value.length > 0 && value.length < 50) {
    return `${anchor}\n${value.map((one) => `${indent}- ${toYaml(random, one, depth + 1)}`).join("\n")}`;
  }
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  const entries = isMap ? Object.entries(value) : [];
  if (depth < 60 && entries.length > 0) {
    const lines = entries.map(([key, one]) => `${indent}${yamlScalar(random, key)}: ${toYaml(random, one, depth + 1)}`);
    if (random.chance(0.02)) lines.push(`${indent}<<: ${random.pick(["*a", "[*a, *a]", "{a: b}", "x"])}`);
    return depth === 0 ? `${random.chance(0.1) ? "---\n" : ""}${lines.join("\n")}\n` : `${anchor}\n${lines.join("\n")}`;
  }
  if (typeof value === "string") return anchor + yamlScalar(random, value);
  return anchor + (JSON.stringify(value) ?? "null");
}

function yamlScalar(random: Random, text: string): string {
  if (random.chance(0.85)) return JSON.stringify(text);
  return random.one(
    () => text,
    () => `'${text}'`,
    () => `|${random.pick(["", "+", "-", "2", "9"])}\n  ${text}`,
    () => `>${random.pick(["", "+", "-"])}\n  ${text}`,
  );
}
