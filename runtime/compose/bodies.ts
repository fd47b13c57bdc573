import { decodeCbor } from "../encoding/cbor/decode-cbor.ts";
import { parseJson } from "../encoding/json/parse-json.ts";
import { sourceTexts } from "../encoding/json/source-texts.ts";
import { decodeEnvelope } from "../encoding/protobuf/envelope.ts";
import { parseYaml } from "../encoding/yaml/parse-yaml.ts";
import type { ParseBody } from "../resource/decode-object.ts";

/** Takes request bodies apart, whatever their format. */
export const parseBody: ParseBody = (body, format) => {
  switch (format) {
    case "json": {
      const { value, duplicates } = parseJson(body, { floatLiterals: true });
      return { form: "value", value, duplicates, textOf: sourceTexts(body, value) };
    }
    case "yaml": {
      const { value, problems } = parseYaml(body);
      return { form: "value", value, problems };
    }
    case "cbor":
      return { form: "value", value: decodeCbor(body) };
    case "protobuf": {
      const { apiVersion, kind, raw } = decodeEnvelope(body);
      return { form: "message", apiVersion, kind, bytes: raw };
    }
  }
};
