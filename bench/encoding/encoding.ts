import { existsSync } from "node:fs";
import { registry } from "../../generated/registry.ts";
import { parseJson } from "../../runtime/encoding/json/parse-json.ts";
import { stringifyJson } from "../../runtime/encoding/json/stringify-json.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import type { PlainObject, TypeSchema } from "../../runtime/schema/type-schema.ts";
import { wireFolder, wirePairs } from "../../test/fixtures/facts-tables.ts";
import { samplePod } from "./sample-pod.ts";

export interface EncodingFigure {
  readonly name: string;
  /** User CPU time of one call, which does not include other load on the machine. */
  readonly microseconds: number;
}

function measure(name: string, rounds: number, run: () => unknown): EncodingFigure {
  for (let i = 0; i < rounds / 4; i++) run();
  const before = process.cpuUsage();
  for (let i = 0; i < rounds; i++) run();
  return { name, microseconds: process.cpuUsage(before).user / rounds };
}

/** Measures decoding and encoding a pod of 2 KiB, compared with JSON.parse and JSON.stringify, which do the minimum. */
export function measurePod(rounds = 20_000): EncodingFigure[] {
  const pod = createSchemas(registry.createTypeSource()).of("core/v1.Pod");
  const body = Buffer.from(JSON.stringify(samplePod));
  const text = body.toString();
  const object = pod.decode(JSON.parse(text));
  const protobuf = pod.encodeProtobuf(object);
  const read = () => {
    const parsed = parseJson(body, { floatLiterals: true });
    return pod.decode(parsed.value, { ...parsed, problems: [] });
  };
  const write = () => {
    const decoded = read();
    pod.applyDefaults(decoded);
    pod.validate(decoded);
    return stringifyJson(pod.canonicalize(decoded));
  };
  return [
    measure("JSON.parse", rounds, () => JSON.parse(text)),
    measure("JSON.stringify", rounds, () => JSON.stringify(object)),
    measure("parse and decode strictly", rounds, read),
    measure("canonicalize", rounds, () => pod.canonicalize(object)),
    measure("apply defaults", rounds, () => pod.applyDefaults(object)),
    measure("validate", rounds, () => pod.validate(object)),
    measure("stringify", rounds, () => stringifyJson(object)),
    measure("parse, decode, default, validate, canonicalize, stringify", rounds, write),
    measure("encode protobuf", rounds, () => pod.encodeProtobuf(object)),
    measure("decode protobuf", rounds, () => pod.decodeProtobuf(protobuf)),
  ];
}

/** Measures protobuf and JSON for every golden object. Empty if the golden objects are not available next to the checkout. */
export function measureWireObjects(rounds = 100): EncodingFigure[] {
  if (!existsSync(wireFolder)) return [];
  const schemas = createSchemas(registry.createTypeSource());
  const cases: { schema: TypeSchema; object: PlainObject; json: string; protobuf: Uint8Array }[] = wirePairs().map(
    ({ ref, json }) => {
      const schema = schemas.of(ref);
      const object = schema.decode(JSON.parse(json));
      return { schema, object, json: JSON.stringify(object), protobuf: schema.encodeProtobuf(object) };
    },
  );
  const each = (run: (one: (typeof cases)[number]) => unknown) => () => {
    for (const one of cases) run(one);
  };
  const perObject = ({ name, microseconds }: EncodingFigure) => ({ name, microseconds: microseconds / cases.length });
  return [
    measure(
      "JSON.parse",
      rounds,
      each(({ json }) => JSON.parse(json)),
    ),
    measure(
      "decode protobuf",
      rounds,
      each(({ schema, protobuf }) => schema.decodeProtobuf(protobuf)),
    ),
    measure(
      "JSON.stringify",
      rounds,
      each(({ object }) => JSON.stringify(object)),
    ),
    measure(
      "encode protobuf",
      rounds,
      each(({ schema, object }) => schema.encodeProtobuf(object)),
    ),
  ].map(perObject);
}

if (import.meta.filename === process.argv[1]) {
  const print = (title: string, figures: readonly EncodingFigure[]) => {
    console.log(title);
    for (const { name, microseconds } of figures) console.log(`${microseconds.toFixed(1).padStart(8)} µs  ${name}`);
  };
  print(`a pod of ${JSON.stringify(samplePod).length} bytes of JSON`, measurePod());
  print("the golden objects, mean of one", measureWireObjects());
}
