import { encodeCbor } from "../../../runtime/encoding/cbor/encode-cbor.ts";
import { encodeEnvelope } from "../../../runtime/encoding/protobuf/envelope.ts";
import { schemas } from "../../kinds/conversions/converters.ts";
import {
  type Body,
  CONFIG_MAPS,
  collection,
  configMap,
  create,
  type LargeInput,
  MOST_KEYS,
  map,
  OWNED_KEYS,
  STORED_KEYS,
  TOO_LARGE,
} from "./requests.ts";

/** One object in every format. */
export function bodies(): LargeInput[] {
  const encoded = (what: string, type: string, encode: (object: Body) => Buffer): LargeInput => ({
    what: `create a ConfigMap of many keys in ${what}`,
    make: (attempt) => ({
      as: "admin",
      method: "POST",
      target: CONFIG_MAPS,
      headers: [["Content-Type", type]],
      body: encode(configMap(`n${attempt}`, STORED_KEYS)),
    }),
  });
  const yaml = ({ data, ...rest }: Body) => {
    const lines = Object.keys(data as object).map((key) => `  ${key}: ""\n`);
    return Buffer.from(
      `${Object.entries(rest)
        .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
        .join("")}data:\n${lines.join("")}`,
    );
  };
  const protobuf = (object: Body) => {
    const schema = schemas.of("core/v1.ConfigMap");
    return encodeEnvelope({ apiVersion: "v1", kind: "ConfigMap", raw: schema.encodeProtobuf(schema.decode(object)) });
  };
  return [
    encoded("JSON", "application/json", (object) => Buffer.from(JSON.stringify(object))),
    encoded("YAML", "application/yaml", yaml),
    encoded("CBOR", "application/cbor", (object) => Buffer.from(encodeCbor(object))),
    encoded("protobuf", "application/vnd.kubernetes.protobuf", protobuf),
    create("a ConfigMap with owners of its keys", CONFIG_MAPS, (name) => configMap(name, OWNED_KEYS)),
    {
      ...create("a ConfigMap that is too large", CONFIG_MAPS, (name) => configMap(name, MOST_KEYS)),
      status: TOO_LARGE,
    },
    {
      ...create("a Secret of many strings that is too large", collection("secrets"), (name) => ({
        metadata: { name },
        stringData: map(MOST_KEYS, () => ""),
      })),
      status: TOO_LARGE,
    },
    {
      ...create("a ConfigMap of binary keys that is too large", CONFIG_MAPS, (name) => ({
        metadata: { name },
        binaryData: map(MOST_KEYS, () => ""),
      })),
      status: TOO_LARGE,
    },
    create("a Secret of many keys, with a policy", collection("secrets"), (name) => ({
      metadata: { name },
      data: map(STORED_KEYS, () => ""),
    })),
  ];
}
