import { BYTES, DOUBLE, DURATION, INT, listOf, paramOf, STRING, TIMESTAMP, UINT } from "../../types/cel-type.ts";
import {
  addInt,
  divideInt,
  divideUint,
  moduloInt,
  moduloUint,
  multiplyInt,
  negateInt,
  subtractInt,
  toUint,
  type Uint,
} from "../../values/numbers.ts";
import { type Duration, durationOf, type Timestamp, timestampOf } from "../../values/time.ts";
import { declare, type FunctionDeclaration, global } from "../library.ts";

const LIST = listOf(paramOf("A"));
const infix = (operator: string) => ({ total: true, inline: ([a, b]: readonly string[]) => `(${a} ${operator} ${b})` });

type Nanos = Timestamp | Duration;

export const ARITHMETIC: readonly FunctionDeclaration[] = [
  declare(
    "_+_",
    global("add_bytes", [BYTES, BYTES], BYTES, (a: Uint8Array, b: Uint8Array) =>
      Uint8Array.from(Buffer.concat([a, b])),
    ),
    global("add_double", [DOUBLE, DOUBLE], DOUBLE, (a: number, b: number) => a + b, infix("+")),
    global("add_duration_duration", [DURATION, DURATION], DURATION, (a: Nanos, b: Nanos) =>
      durationOf(a.nanos + b.nanos),
    ),
    global("add_duration_timestamp", [DURATION, TIMESTAMP], TIMESTAMP, (a: Duration, b: Timestamp) =>
      timestampOf(a.nanos + b.nanos, b.offsetMinutes),
    ),
    global("add_timestamp_duration", [TIMESTAMP, DURATION], TIMESTAMP, (a: Timestamp, b: Duration) =>
      timestampOf(a.nanos + b.nanos, a.offsetMinutes),
    ),
    global("add_int64", [INT, INT], INT, addInt),
    global("add_list", [LIST, LIST], LIST, (a: unknown[], b: unknown[]) => a.concat(b)),
    global("add_string", [STRING, STRING], STRING, (a: string, b: string) => a + b, infix("+")),
    global("add_uint64", [UINT, UINT], UINT, (a: Uint, b: Uint) => toUint(a.value + b.value)),
  ),
  declare(
    "_-_",
    global("subtract_double", [DOUBLE, DOUBLE], DOUBLE, (a: number, b: number) => a - b, infix("-")),
    global("subtract_duration_duration", [DURATION, DURATION], DURATION, (a: Nanos, b: Nanos) =>
      durationOf(a.nanos - b.nanos),
    ),
    global("subtract_int64", [INT, INT], INT, subtractInt),
    global("subtract_timestamp_duration", [TIMESTAMP, DURATION], TIMESTAMP, (a: Timestamp, b: Duration) =>
      timestampOf(a.nanos - b.nanos, a.offsetMinutes),
    ),
    global("subtract_timestamp_timestamp", [TIMESTAMP, TIMESTAMP], DURATION, (a: Nanos, b: Nanos) =>
      durationOf(a.nanos - b.nanos),
    ),
    global("subtract_uint64", [UINT, UINT], UINT, (a: Uint, b: Uint) => toUint(a.value - b.value)),
  ),
  declare(
    "_*_",
    global("multiply_double", [DOUBLE, DOUBLE], DOUBLE, (a: number, b: number) => a * b, infix("*")),
    global("multiply_int64", [INT, INT], INT, multiplyInt),
    global("multiply_uint64", [UINT, UINT], UINT, (a: Uint, b: Uint) => toUint(a.value * b.value)),
  ),
  declare(
    "_/_",
    global("divide_double", [DOUBLE, DOUBLE], DOUBLE, (a: number, b: number) => a / b, infix("/")),
    global("divide_int64", [INT, INT], INT, divideInt),
    global("divide_uint64", [UINT, UINT], UINT, divideUint),
  ),
  declare(
    "_%_",
    global("modulo_int64", [INT, INT], INT, moduloInt),
    global("modulo_uint64", [UINT, UINT], UINT, moduloUint),
  ),
  declare(
    "-_",
    global("negate_double", [DOUBLE], DOUBLE, (a: number) => -a, { total: true }),
    global("negate_int64", [INT], INT, negateInt),
  ),
];
