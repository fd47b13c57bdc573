import { decodeCbor } from "../encoding/cbor/decode-cbor.ts";
import { keyOrder } from "../encoding/json/key-order.ts";
import { parseJson } from "../encoding/json/parse-json.ts";
import { sourceTexts } from "../encoding/json/source-texts.ts";
import { decodeEnvelope } from "../encoding/protobuf/envelope.ts";
import { parseYaml } from "../encoding/yaml/parse-yaml.ts";
import { sortUtf8 } from "../lib/compare-utf8.ts";
import { checkDepth, MAX_DEPTH, MAX_INDENTATION } from "../lib/max-depth.ts";
import type { ParseBody } from "./decode-object.ts";

/** Takes request bodies apart, whatever their format. */
export const parseBody: ParseBody = (body, format) => {
  switch (format) {
    case "json": {
      const { value, depth, duplicates, repeated } = parseJson(body, { floatLiterals: true, sharesFields: true });
      // A line takes two bytes at least, and is indented by two spaces per level at most.
      if (depth > MAX_DEPTH || depth * body.length > MAX_INDENTATION) checkDepth(value);
      return {
        form: "value",
        value,
        isTree: true,
        duplicates,
        repeated,
        textOf: sourceTexts(body, value),
        order: () => keyOrder(body, value, duplicates !== undefined),
      };
    }
    case "yaml": {
      const { value, problems } = parseYaml(body);
      // Kubernetes reads it as the JSON that it makes of it, whose keys are sorted.
      checkDepth(value);
      return { form: "value", value, problems, order: () => (object) => sortUtf8(Object.keys(object)) };
    }
    case "cbor":
      return { form: "value", value: decodeCbor(body) };
    case "protobuf": {
      const { apiVersion, kind, raw } = decodeEnvelope(body);
      return { form: "message", apiVersion, kind, bytes: raw };
    }
  }
};
