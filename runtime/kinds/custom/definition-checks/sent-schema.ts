import { asGiven } from "../../../go/source-notes.ts";
import { isJsonObject, type JsonObject } from "../../../lib/json-object.ts";
import type { CustomSchema } from "../schema/structural-schema.ts";

/** `items` that are no single schema: null or a list. */
export const OTHER_ITEMS: unique symbol = Symbol("other items");

/** A schema as a client may send it, with keywords that are parsed and then rejected. */
export type SentSchema = CustomSchema & {
  readonly id?: string;
  readonly $ref?: string;
  readonly additionalItems?: unknown;
  readonly patternProperties?: object;
  readonly definitions?: Readonly<Record<string, CustomSchema>>;
  readonly dependencies?: Readonly<Record<string, CustomSchema | readonly string[]>>;
  readonly [OTHER_ITEMS]?: null | readonly unknown[];
};

/** A schema with `items` that are no single schema under OTHER_ITEMS, and with `dependencies` even if they were sent empty. */
export function asSent(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asSent);
  if (!isJsonObject(value)) return value;
  const { items } = value;
  const hasOther = items === null || (Array.isArray(items) && items.length === 0);
  const dependencies = asGiven(value as JsonObject, "dependencies");
  const members = Object.entries(value).filter(([key]) => key !== "items" || !hasOther);
  return {
    ...Object.fromEntries(members.map(([key, member]) => [key, asSent(member)])),
    ...(dependencies === undefined ? {} : { dependencies }),
    ...(hasOther || Array.isArray(items) ? { [OTHER_ITEMS]: items } : {}),
  };
}
