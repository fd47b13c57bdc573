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

/** The public conformance tests of CEL, converted to our values and types. */

export interface ConformanceTest {
  readonly path: string;
  readonly expr: string;
  readonly value?: ValueJson;
  readonly evalError?: object;
  readonly typedResult?: { result?: ValueJson; deducedType?: TypeJson };
  readonly typeEnv?: Declaration[];
  readonly bindings?: Record<string, { value: ValueJson }>;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
}

/** A value in the JSON form of protobuf. Exactly one member is set. */
export interface ValueJson {
  readonly nullValue?: null;
  readonly boolValue?: boolean;
  readonly stringValue?: string;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly bytesValue?: string;
  readonly typeValue?: string;
  readonly listValue?: { readonly values?: readonly ValueJson[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: ValueJson; readonly value: ValueJson }[] };
  readonly objectValue?: { readonly "@type": string; readonly value: string };
}

/** A type in the JSON form of protobuf. */
export interface TypeJson {
  readonly dyn?: object;
  readonly primitive?: string;
  readonly null?: null;
  readonly wellKnown?: string;
  readonly listType?: { readonly elemType: TypeJson };
  readonly mapType?: { readonly keyType: TypeJson; readonly valueType: TypeJson };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly TypeJson[] };
  readonly type?: TypeJson;
  readonly typeParam?: string;
  readonly messageType?: string;
}

/** A variable or function that a test declares. */
export interface Declaration {
  readonly name: string;
  readonly ident?: { readonly type: TypeJson };
  readonly function?: { readonly overloads: readonly OverloadJson[] };
}

interface OverloadJson {
  readonly overloadId: string;
  readonly params?: readonly TypeJson[];
  readonly resultType: TypeJson;
  readonly isInstanceFunction?: boolean;
}

interface Suite {
  readonly name: string;
  readonly suites?: Suite[];
  readonly tests?: { original: Omit<ConformanceTest, "path"> & { readonly name: string } }[];
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

/** Whether a test needs protobuf messages, enums or wrappers, which do not occur as values in this server. */
export function needsMessages(test: ConformanceTest): boolean {
  const { path: _path, container: _container, ...rest } = test;
  const text = JSON.stringify(rest).replaceAll(
    /"objectValue":\{"@type":"type\.googleapis\.com\/google\.protobuf\.(Timestamp|Duration)"/g,
    "",
  );
  return MESSAGES.test(text) || /"messageType":"(?!google\.protobuf\.(Timestamp|Duration))/.test(text);
}

export function readValue(json: ValueJson): unknown {
  const { int64Value, uint64Value, doubleValue, bytesValue, listValue, mapValue, typeValue, objectValue } = json;
  if (int64Value !== undefined) {
    const big = BigInt(int64Value);
    return Number.isSafeInteger(Number(big)) ? Number(big) : big;
  }
  if (uint64Value !== undefined) return new Uint(BigInt(uint64Value));
  if (doubleValue !== undefined) {
    const number = Number(doubleValue);
    return Number.isInteger(number) ? new Double(number) : number;
  }
  if (bytesValue !== undefined) return Uint8Array.from(Buffer.from(bytesValue, "base64"));
  if (listValue !== undefined) return (listValue.values ?? []).map(readValue);
  if (mapValue !== undefined)
    return CelMap.of((mapValue.entries ?? []).map(({ key, value }) => [readValue(key), readValue(value)]));
  if (typeValue !== undefined) return new TypeValue(typeValue);
  if (objectValue !== undefined) {
    const { "@type": type, value } = objectValue;
    return type.endsWith("Timestamp") ? parseTimestamp(value) : parseDuration(value);
  }
  return json.boolValue ?? json.stringValue ?? null;
}

const PRIMITIVES: Record<string, CelType> = {
  BOOL,
  INT64: INT,
  UINT64: UINT,
  DOUBLE,
  STRING,
  BYTES,
};

export function readType(json: TypeJson): CelType {
  const { primitive, wellKnown, listType, mapType, abstractType, type, typeParam, messageType } = json;
  if (primitive !== undefined) return PRIMITIVES[primitive]!;
  if (json.null !== undefined) return NULL;
  if (wellKnown !== undefined) return wellKnown === "TIMESTAMP" ? TIMESTAMP : wellKnown === "DURATION" ? DURATION : DYN;
  if (listType !== undefined) return listOf(readType(listType.elemType));
  if (mapType !== undefined) return mapOf(readType(mapType.keyType), readType(mapType.valueType));
  if (abstractType !== undefined)
    return opaqueOf(abstractType.name, ...(abstractType.parameterTypes ?? []).map(readType));
  if (type !== undefined) return typeOf(Object.keys(type).length === 0 ? DYN : readType(type));
  if (typeParam !== undefined) return paramOf(typeParam);
  if (messageType !== undefined) return messageType.endsWith("Timestamp") ? TIMESTAMP : DURATION;
  return DYN;
}
