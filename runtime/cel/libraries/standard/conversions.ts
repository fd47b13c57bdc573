import { parseGoBool } from "../../../go/bool.ts";
import { goFloat } from "../../../go/float.ts";
import { codePointLength } from "../../syntax/source.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  paramOf,
  STRING,
  TIMESTAMP,
  typeOf,
  UINT,
} from "../../types/cel-type.ts";
import { type AnyMap, mapSize, TypeValue } from "../../values/containers.ts";
import { conversionError, noneOfType } from "../../values/evaluation-error.ts";
import { typeNameOf } from "../../values/kinds.ts";
import {
  doubleFromString,
  type Int,
  intFromDouble,
  intFromString,
  toInt,
  toUint,
  type Uint,
  uintFromDouble,
  uintFromString,
} from "../../values/numbers.ts";
import {
  type Duration,
  durationFromString,
  formatDuration,
  formatTimestamp,
  type Timestamp,
  timestampFromString,
  timestampOfSeconds,
  unixSeconds,
} from "../../values/time.ts";
import { declare, type FunctionDeclaration, global, member } from "../library.ts";

const A = paramOf("A");
const identity = (value: unknown) => value;
const TOTAL = { total: true };

function boolFromString(text: string): boolean {
  const value = parseGoBool(text);
  if (value === undefined) throw noneOfType("bool");
  return value;
}

function stringFromBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw conversionError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

/** Declared by the language, but always fails: the unit of the number is not defined. */
function durationFromInt(): never {
  throw conversionError("type conversion error from 'int' to 'google.protobuf.Duration'");
}

const sizeOfMap = (map: AnyMap) => mapSize(map);
const lengthOf = (value: { length: number }) => value.length;
const SIZED = [
  ["bytes", BYTES, lengthOf],
  ["list", listOf(A), lengthOf],
  ["map", mapOf(A, paramOf("B")), sizeOfMap],
  ["string", STRING, codePointLength],
] as const;

export const CONVERSIONS: readonly FunctionDeclaration[] = [
  declare(
    "size",
    ...SIZED.map(([name, type, size]) => global(`size_${name}`, [type], INT, size, TOTAL)),
    ...SIZED.map(([name, type, size]) => member(`${name}_size`, [type], INT, size, TOTAL)),
  ),
  declare(
    "type",
    global("type", [A], typeOf(A), (value) => new TypeValue(typeNameOf(value)), TOTAL),
  ),
  declare("dyn", global("to_dyn", [A], DYN, identity, TOTAL)),
  declare(
    "bool",
    global("bool_to_bool", [BOOL], BOOL, identity, TOTAL),
    global("string_to_bool", [STRING], BOOL, boolFromString),
  ),
  declare(
    "bytes",
    global("bytes_to_bytes", [BYTES], BYTES, identity, TOTAL),
    global("string_to_bytes", [STRING], BYTES, (text: string) => new TextEncoder().encode(text), TOTAL),
  ),
  declare(
    "double",
    global("double_to_double", [DOUBLE], DOUBLE, identity, TOTAL),
    global("int64_to_double", [INT], DOUBLE, (value: Int) => Number(value), TOTAL),
    global("string_to_double", [STRING], DOUBLE, doubleFromString),
    global("uint64_to_double", [UINT], DOUBLE, (value: Uint) => Number(value.value), TOTAL),
  ),
  declare(
    "duration",
    global("duration_to_duration", [DURATION], DURATION, identity, TOTAL),
    global("int64_to_duration", [INT], DURATION, durationFromInt),
    global("string_to_duration", [STRING], DURATION, durationFromString),
  ),
  declare(
    "int",
    global("int64_to_int64", [INT], INT, identity, TOTAL),
    global("double_to_int64", [DOUBLE], INT, intFromDouble),
    global("duration_to_int64", [DURATION], INT, (duration: Duration) => toInt(duration.nanos)),
    global("string_to_int64", [STRING], INT, intFromString),
    global("timestamp_to_int64", [TIMESTAMP], INT, (time: Timestamp) => toInt(unixSeconds(time))),
    global("uint64_to_int64", [UINT], INT, (value: Uint) => toInt(value.value)),
  ),
  declare(
    "string",
    global("string_to_string", [STRING], STRING, identity, TOTAL),
    global("bool_to_string", [BOOL], STRING, String, TOTAL),
    global("bytes_to_string", [BYTES], STRING, stringFromBytes),
    global("double_to_string", [DOUBLE], STRING, goFloat, TOTAL),
    global("duration_to_string", [DURATION], STRING, formatDuration, TOTAL),
    global("int64_to_string", [INT], STRING, String, TOTAL),
    global("timestamp_to_string", [TIMESTAMP], STRING, formatTimestamp, TOTAL),
    global("uint64_to_string", [UINT], STRING, String, TOTAL),
  ),
  declare(
    "timestamp",
    global("timestamp_to_timestamp", [TIMESTAMP], TIMESTAMP, identity, TOTAL),
    global("int64_to_timestamp", [INT], TIMESTAMP, timestampOfSeconds),
    global("string_to_timestamp", [STRING], TIMESTAMP, timestampFromString),
  ),
  declare(
    "uint",
    global("uint64_to_uint64", [UINT], UINT, identity, TOTAL),
    global("double_to_uint64", [DOUBLE], UINT, uintFromDouble),
    global("int64_to_uint64", [INT], UINT, (value: Int) => toUint(BigInt(value))),
    global("string_to_uint64", [STRING], UINT, uintFromString),
  ),
];
