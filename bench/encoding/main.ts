import { createTypeSource } from "../../generated/registry.ts";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { samplePod } from "./sample-pod.ts";

export interface Figure {
  readonly name: string;
  readonly microseconds: number;
}

/** Mean time of a call, after warming up. */
function measure(name: string, run: () => unknown): Figure {
  for (let i = 0; i < 3000; i++) run();
  const rounds = 5000;
  let best = Number.POSITIVE_INFINITY;
  for (let repeat = 0; repeat < 5; repeat++) {
    const begin = performance.now();
    for (let i = 0; i < rounds; i++) run();
    best = Math.min(best, (performance.now() - begin) / rounds);
  }
  return { name, microseconds: best * 1000 };
}

/** What encoding costs, beside the built-in JSON functions doing the least that could be done. */
export function encodingFigures(): Figure[] {
  const schemas = createSchemas(createTypeSource());
  const pod = schemas.of("core/v1.Pod");
  const bytes = Buffer.from(JSON.stringify(samplePod));
  const text = bytes.toString();
  const object = pod.decode(JSON.parse(text));
  const protobuf = pod.encodeProtobuf(object);
  const create = () => {
    const parsed = parseJson(bytes, { floatLiterals: true });
    const problems: string[] = [];
    const decoded = pod.decode(parsed.value, { ...parsed, problems });
    pod.applyDefaults(decoded);
    pod.validate(decoded);
    return stringifyJson(pod.canonicalize(decoded));
  };
  return [
    measure("JSON.parse", () => JSON.parse(text)),
    measure("JSON.stringify", () => JSON.stringify(object)),
    measure("parseJson", () => parseJson(bytes, { floatLiterals: true })),
    measure("stringifyJson", () => stringifyJson(object)),
    measure("decode", () => pod.decode(object, { problems: [] })),
    measure("applyDefaults", () => pod.applyDefaults(object)),
    measure("validate", () => pod.validate(object)),
    measure("encodeProtobuf", () => pod.encodeProtobuf(object)),
    measure("decodeProtobuf", () => pod.decodeProtobuf(protobuf)),
    measure("parse, decode, default, validate, canonicalize, stringify", create),
  ];
}

if (import.meta.filename === process.argv[1]) {
  console.log(`a pod of ${JSON.stringify(samplePod).length} bytes of JSON`);
  for (const { name, microseconds } of encodingFigures())
    console.log(`${microseconds.toFixed(1).padStart(8)} µs  ${name}`);
}
