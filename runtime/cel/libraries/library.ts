import type { Macro } from "../syntax/macros.ts";
import type { CelType } from "../types/cel-type.ts";

/** Implementation of an overload. Its parameters have the declared types; callers ensure that arguments do. */
export type Implementation = (...args: never[]) => unknown;

/** One signature of a function. A member's receiver is its first parameter. */
export interface Overload {
  readonly id: string;
  readonly member: boolean;
  readonly params: readonly CelType[];
  readonly result: CelType;
  readonly implement: Implementation;
  /** Returns JavaScript for the call, given JavaScript for the arguments. For operators that are cheaper than a function call. */
  readonly inline?: (args: readonly string[]) => string;
  /** Whether the call cannot fail if its arguments have their declared types. */
  readonly total?: boolean;
  /** Whether the static element type of the first list is passed as an additional last argument: elements from JSON must be converted to it. */
  readonly takesElementType?: boolean;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** Calls an overload with arguments that are known to fit its parameters. */
export function invoke(overload: Overload, args: readonly unknown[]): unknown {
  return (overload.implement as (...args: readonly unknown[]) => unknown)(...args);
}

/** A named set of functions, macros and types that an environment may offer. */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Types that expressions may name, such as `net.IP`. */
  readonly types?: readonly CelType[];
  /** Resolves names of types that are too many to be listed. */
  readonly resolveType?: (name: string) => CelType | undefined;
}

type Extras = Pick<Overload, "inline" | "total" | "takesElementType">;

/** A global function's overload. */
export function global(
  id: string,
  params: readonly CelType[],
  result: CelType,
  implement: Implementation,
  extras: Extras = {},
): Overload {
  return { id, member: false, params, result, implement, ...extras };
}

/** A member function's overload; the receiver is the first parameter. */
export function member(
  id: string,
  params: readonly CelType[],
  result: CelType,
  implement: Implementation,
  extras: Extras = {},
): Overload {
  return { id, member: true, params, result, implement, ...extras };
}

export function declare(name: string, ...overloads: Overload[]): FunctionDeclaration {
  return { name, overloads };
}
