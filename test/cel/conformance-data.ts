import { tests as conformance } from "@bufbuild/cel-spec/testdata/conformance.js";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaqueOf,
  paramOf,
  STRING,
  TIMESTAMP,
  typeOf,
  UINT,
} from "../../runtime/cel/types/cel-type.ts";
import { CelMap, TypeValue } from "../../runtime/cel/values/containers.ts";
import { Double, Uint } from "../../runtime/cel/values/numbers.ts";
import { parseDuration, parseTimestamp } from "../../runtime/cel/values/time.ts";

/** The public conformance data of CEL, read into our values and types. */

export interface ConformanceTest {
  readonly path: string;
  readonly expr: string;
  readonly value?: Json;
  readonly evalError?: Json;
  readonly typedResult?: { result?: Json; deducedType?: Json };
  readonly typeEnv?: Json[];
  readonly bindings?: Record<string, { value: Json }>;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: data in the JSON form of protobuf, of many shapes.
export type Json = any;

interface Suite {
  readonly name: string;
  readonly suites?: Suite[];
  readonly tests?: { original: Json }[];
}

export interface NamedSuite {
  readonly name: string;
  readonly tests: readonly ConformanceTest[];
}

export function conformanceSuites(): NamedSuite[] {
  return ((conformance as Suite).suites ?? []).map((suite) => ({ name: suite.name, tests: flatten(suite, "") }));
}

function flatten(suite: Suite, prefix: string): ConformanceTest[] {
  const own = (suite.tests ?? []).map(({ original }) => ({ ...original, path: `${prefix}${original.name}` }));
  return [...own, ...(suite.suites ?? []).flatMap((inner) => flatten(inner, `${prefix}${inner.name}/`))];
}

const MESSAGES =
  /TestAllTypes|NestedMessage|GlobalEnum|NestedEnum|google\.protobuf\.(?!Timestamp|Duration)\w+|objectValue|enumValue|proto\.|wrapper/;

/** Whether a test is about protobuf messages, enums or wrappers, which values of this server never are. */
export function needsMessages(test: ConformanceTest): boolean {
  const { path: _path, container: _container, ...rest } = test;
  const text = JSON.stringify(rest).replaceAll(
    /"objectValue":\{"@type":"type\.googleapis\.com\/google\.protobuf\.(Timestamp|Duration)"/g,
    "",
  );
  return MESSAGES.test(text) || /"messageType":"(?!google\.protobuf\.(Timestamp|Duration))/.test(text);
}

export function readValue(json: Json): unknown {
  const [kind, value] = Object.entries(json)[0] as [string, Json];
  switch (kind) {
    case "int64Value": {
      const big = BigInt(value);
      return Number.isSafeInteger(Number(big)) ? Number(big) : big;
    }
    case "uint64Value":
      return new Uint(BigInt(value));
    case "doubleValue": {
      const number = Number(value);
      return Number.isInteger(number) ? new Double(number) : number;
    }
    case "bytesValue":
      return Uint8Array.from(Buffer.from(value, "base64"));
    case "listValue":
      return (value.values ?? []).map(readValue);
    case "mapValue":
      return CelMap.of((value.entries ?? []).map((entry: Json) => [readValue(entry.key), readValue(entry.value)]));
    case "typeValue":
      return new TypeValue(value);
    case "objectValue":
      return value["@type"].endsWith("Timestamp") ? parseTimestamp(value.value) : parseDuration(value.value);
    default:
      return value;
  }
}

const PRIMITIVES: Record<string, CelType> = {
  BOOL,
  INT64: INT,
  UINT64: UINT,
  DOUBLE,
  STRING,
  BYTES,
};

export function readType(json: Json): CelType {
  const [kind, value] = Object.entries(json)[0] as [string, Json];
  switch (kind) {
    case "primitive":
      return PRIMITIVES[value]!;
    case "null":
      return NULL;
    case "wellKnown":
      return value === "TIMESTAMP" ? TIMESTAMP : value === "DURATION" ? DURATION : DYN;
    case "listType":
      return listOf(readType(value.elemType));
    case "mapType":
      return mapOf(readType(value.keyType), readType(value.valueType));
    case "abstractType":
      return opaqueOf(value.name, ...(value.parameterTypes ?? []).map(readType));
    case "type":
      return typeOf(Object.keys(value).length === 0 ? DYN : readType(value));
    case "typeParam":
      return paramOf(value);
    case "messageType":
      return value.endsWith("Timestamp") ? TIMESTAMP : DURATION;
    default:
      return DYN;
  }
}
